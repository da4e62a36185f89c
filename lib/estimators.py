"""Kernel regression as a scikit-learn estimator; install with `pip install ".[sklearn]"`.

The methods are those of `lib.regression`. In its notation, the rows of X are keys, y holds their values, and the
rows to predict are queries:

    >>> x = np.linspace(0, 5, 40)
    >>> model = KernelRegression(bandwidth=0.5).fit(x[:, None], np.sin(x))
    >>> model.predict([[1.0], [2.0]]).round(3)
    array([0.792, 0.854])
    >>> nadaraya_watson([1.0, 2.0], x, np.sin(x), bandwidth=0.5).round(3)
    array([0.792, 0.854])

`sample_weight` counts observations: a row of weight 2 is the same as two equal rows. It multiplies the kernel, so
its logarithm is added to the log-weights of the keys.
"""

import numpy as np

try:
    from sklearn.base import BaseEstimator, RegressorMixin
    from sklearn.utils.validation import FLOAT_DTYPES, _check_sample_weight, check_is_fitted, validate_data
except ImportError as missing:
    raise ImportError(
        "lib.estimators: expected scikit-learn 1.6 or newer, got none; "
        'install it with pip install "scikit-learn>=1.6"'
    ) from missing

from lib.checks import bandwidth_per_axis, one_of, whole_number
from lib.engine.many_bandwidths import leave_one_out_errors
from lib.engine.regression import regression_and_log_sums
from lib.kernels import KERNELS, log_radial_kernel
from lib.regression import candidate_bandwidths, leave_one_out_estimates, local_linear, nadaraya_watson
from lib.weights import average, by_rows, ratio, softmax

CRITERIA = {"leave-one-out": "_leave_one_out_error", "aicc": "_corrected_aic"}
LARGEST_EXPONENT = 700  # e^x is finite


class KernelRegression(RegressorMixin, BaseEstimator):
    """Nadaraya–Watson regression, or local linear regression, with a bandwidth chosen from the data.

    Parameters
    ----------
    kernel : {"gaussian", "boxcar", "triangular", "epanechnikov", "laplacian", "cauchy", "constant"}
    bandwidth : {"leave-one-out", "aicc"}, float > 0, or (n_features,) array of them
        h, in the units of X: K = exp(−‖x − xᵢ‖²/h²), so h = √2 σ for the standard deviation σ of a Gaussian. A
        criterion chooses among `lib.regression.candidate_bandwidths(X)`: the one with the smallest error in
        predicting each observation from all others, or with the smallest corrected AIC.
    degree : {0, 1}
        0 averages (Nadaraya–Watson), 1 fits a line around each query (local linear).

    Attributes
    ----------
    bandwidth_ : float, or (n_features,) array
    effective_degrees_of_freedom_ : float
        The trace of the matrix that maps y to the fitted values. With `degree=1` its time grows with n².
    residual_variance_ : float, or (n_outputs,) array
        Σ r² / (n − effective degrees of freedom) for the residuals r.
    X_ : (n, n_features) array
        The keys, without rows of weight 0.
    y_ : (n,) or (n, n_outputs) array
        Their values.
    sample_weight_ : (n,) array, or None

    Notes
    -----
    Equations eq:nadaraya_watson, eq:local_linear, eq:leave_one_out_error and eq:corrected_aic of chapter 1, as in
    `lib.regression`, whose docstrings name the sources. Time and memory are linear in n for the Gaussian in up
    to three dimensions and for compactly supported kernels in one dimension (with `degree=1` and `sample_weight`,
    the time grows with n²). With `degree=1`, however, a criterion is slow for thousands of rows. Let
    `GridSearchCV` choose among a few numbers instead, as in the last example.

    Kernel regression does not extrapolate. `cross_val_score(…, cv=5)` does not shuffle: each fifth of sorted rows
    is predicted from keys outside its range. For such rows pass `cv=KFold(5, shuffle=True)`.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X = rng.uniform(0, 5, (200, 1))
    >>> y = np.sin(X[:, 0]) + 0.1 * rng.normal(size=200)
    >>> model = KernelRegression().fit(X, y)
    >>> round(model.bandwidth_, 2), round(model.effective_degrees_of_freedom_, 1)
    (0.17, 17.3)
    >>> estimate, std = model.predict([[1.0]], return_std=True)
    >>> estimate.round(2), std.round(2)
    (array([0.81]), array([0.03]))

    In a pipeline, h is in the units of the scaled columns:

    >>> from sklearn.model_selection import GridSearchCV, KFold
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> grid = {"kernelregression__bandwidth": [0.1, 0.3, 1.0], "kernelregression__degree": [0, 1]}
    >>> pipeline = make_pipeline(StandardScaler(), KernelRegression())
    >>> search = GridSearchCV(pipeline, grid, cv=KFold(5, shuffle=True, random_state=0)).fit(X, y)
    >>> search.best_params_
    {'kernelregression__bandwidth': 0.1, 'kernelregression__degree': 1}
    """

    def __init__(self, kernel="gaussian", bandwidth="leave-one-out", degree=0):
        self.kernel = kernel
        self.bandwidth = bandwidth
        self.degree = degree

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags

    def fit(self, X, y, sample_weight=None):
        """Store the data and choose the bandwidth.

        Parameters
        ----------
        X : (n, n_features) array of finite numbers
        y : (n,) or (n, n_outputs) array
        sample_weight : (n,) array ≥ 0, optional
            The number of observations that each row stands for. Leave-one-out leaves out one observation of a row,
            or the whole row if its weight is below 1; scale weights that are not counts, such as inverse
            variances, so that the largest is 1.

        Returns
        -------
        self
        """
        one_of("kernel", self.kernel, KERNELS)
        whole_number("degree", self.degree, 0, 1)
        is_chosen = isinstance(self.bandwidth, str)
        if is_chosen:
            one_of("bandwidth", self.bandwidth, CRITERIA)
        X, y = validate_data(
            self, X, y, dtype=FLOAT_DTYPES, multi_output=True, y_numeric=True, ensure_min_samples=1 + is_chosen
        )
        self.X_, self.y_, self.sample_weight_ = X, y, None
        if sample_weight is not None:
            weight = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
            counted = weight > 0
            self.X_, self.y_, self.sample_weight_ = X[counted], y[counted], weight[counted]
        self.bandwidth_ = self._choose_bandwidth() if is_chosen else self.bandwidth
        self._estimate(self.X_[:1])  # raises an error for an invalid bandwidth
        return self

    def predict(self, X, return_std=False):
        """Estimate the regression function.

        Parameters
        ----------
        X : (n_queries, n_features) array
        return_std : bool
            Whether to return the standard deviations of the estimates as well: the square root of
            `residual_variance_` times the sum of the squared weights. They assume independent noise of the same
            variance everywhere, and do not contain the bias.

        Returns
        -------
        (n_queries,) or (n_queries, n_outputs) array, or a tuple of two. NaN where no row of the data is within
        reach of a compactly supported kernel.
        """
        check_is_fitted(self)
        X = validate_data(self, X, dtype=FLOAT_DTYPES, reset=False)
        estimate = self._estimate(X)
        if not return_std:
            return estimate
        squares = self._sum_of_squared_weights(X)
        return estimate, np.sqrt(np.multiply.outer(squares, self.residual_variance_))

    @property
    def effective_degrees_of_freedom_(self):  # noqa: D102 (the class describes its attributes)
        check_is_fitted(self)
        if self.degree == 0:
            return float(np.sum(self._counts() * np.exp(-self._log_sums(self.X_, self.bandwidth_))))
        own = by_rows(len(self.X_), lambda rows: self._weights(self.X_[rows])[:, rows].diagonal())
        return float(own.sum())

    @property
    def residual_variance_(self):  # noqa: D102
        n, freedom = self._n_observations(), self.effective_degrees_of_freedom_
        if freedom >= n:
            raise ValueError(
                "bandwidth: expected fewer degrees of freedom than observations for a residual variance, "
                f"got {freedom:.6g} of {n:.6g} at bandwidth {self.bandwidth_}"
            )
        return self._sum_of_squared_residuals() / (n - freedom)

    def _choose_bandwidth(self):
        """Return the candidate with the smallest criterion, the first in case of ties."""
        candidates = candidate_bandwidths(self.X_)
        scores = self._scores(candidates)
        scores = np.where(np.isnan(scores), np.inf, scores)
        if np.isposinf(scores).all():
            raise ValueError(
                f"X: expected data for which {self.bandwidth} is defined at one of the candidate bandwidths, "
                f"got {len(self.X_)} rows; pass a number as bandwidth"
            )
        best = candidates[np.argmin(scores)]
        return best if candidates.ndim == 2 else float(best)

    def _scores(self, candidates):
        """Return the criterion of each candidate; on a line, leave-one-out errors share most of the work."""
        is_shared = (self.kernel, self.bandwidth, self.degree) == ("gaussian", "leave-one-out", 0)
        if is_shared and candidates.ndim == 1 and self.sample_weight_ is None:
            errors = leave_one_out_errors(self.X_[:, 0], self.y_, candidates)
            if errors is not None:
                return errors
        scores = []
        for self.bandwidth_ in candidates:
            scores.append(getattr(self, CRITERIA[self.bandwidth])())
        return scores

    def _leave_one_out_error(self):
        residuals = self.y_ - self._leave_one_out_estimates()
        return np.average(residuals.astype(np.float64) ** 2, axis=0, weights=self.sample_weight_).mean()

    def _corrected_aic(self):
        n, freedom = self._n_observations(), self.effective_degrees_of_freedom_
        if freedom >= n - 2:
            return np.inf
        with np.errstate(divide="ignore"):
            fit = np.log(np.mean(self._sum_of_squared_residuals() / n))
        return fit + 1 + 2 * (freedom + 1) / (n - freedom - 2)

    def _leave_one_out_estimates(self):
        """Estimate each row's values without one of its observations."""
        X, y, h = self.X_, self.y_, self.bandwidth_
        if self.sample_weight_ is None:
            return leave_one_out_estimates(X, y, h, self.kernel, order=self.degree)
        left = np.maximum(self.sample_weight_ - 1, 0)
        if self.degree == 1:
            return by_rows(len(X), lambda rows: self._weights(X[rows], left, rows) @ y)
        columns, h = self._weighted_columns(), bandwidth_per_axis(h, X.shape[1])
        others, log_sums = regression_and_log_sums(X, X, columns, h, self.kernel, leave_one_out=True)
        others[np.isneginf(log_sums)] = 0
        own = (left * np.exp(np.minimum(-log_sums, LARGEST_EXPONENT)))[:, None]
        sums = others + own * columns / self.sample_weight_[:, None]
        return ratio(sums[:, :-1], sums[:, -1:]).reshape(y.shape)

    def _estimate(self, X):
        of_data = self.X_, self.y_, self.bandwidth_, self.kernel
        if self.sample_weight_ is None:
            return (local_linear if self.degree else nadaraya_watson)(X, *of_data)
        if self.degree:
            return by_rows(len(X), lambda rows: average(self._weights(X[rows]), self.y_))
        sums = nadaraya_watson(X, self.X_, self._weighted_columns(), self.bandwidth_, self.kernel)
        return ratio(sums[:, :-1], sums[:, -1:]).reshape(len(X), *self.y_.shape[1:])

    def _counts(self):
        return np.ones(len(self.X_)) if self.sample_weight_ is None else self.sample_weight_

    def _n_observations(self):
        return len(self.X_) if self.sample_weight_ is None else self.sample_weight_.sum()

    def _weighted_columns(self):
        """Return the weighted values and the weights, `(n, n_outputs + 1)`."""
        weight = self._counts()[:, None]
        return np.hstack([weight * self.y_.reshape(len(self.y_), -1), weight])

    def _sum_of_squared_residuals(self):
        residuals = (self.y_ - self._estimate(self.X_)).astype(np.float64)
        return self._counts() @ residuals**2

    def _log_sums(self, X, bandwidth):
        """Return the log of the kernel's weighted sum at each query, log Σ s K."""
        h = bandwidth_per_axis(bandwidth, X.shape[1])
        mean, log_sums = regression_and_log_sums(X, self.X_, self._counts(), h, self.kernel)
        return log_sums + np.log(mean)

    def _sum_of_squared_weights(self, X):
        """Return Σ w²/s for the weights w of each query; the square of a Gaussian is one of bandwidth h/√2."""
        if self.degree == 0 and self.kernel == "gaussian":
            narrow = self._log_sums(X, np.divide(self.bandwidth_, np.sqrt(2)))
            return np.exp(narrow - 2 * self._log_sums(X, self.bandwidth_))
        return by_rows(len(X), lambda rows: self._weights(X[rows]) ** 2 @ (1 / self._counts()))

    def _weights(self, queries, own_counts=None, own=None):
        """Return the weights (n_queries, n); `own_counts` replaces the counts of the queries, rows `own` of X."""
        counts = np.broadcast_to(self._counts(), (len(queries), len(self.X_))).copy()
        if own is not None:
            index = np.arange(len(self.X_))[own]
            counts[np.arange(len(index)), index] = own_counts[own]
        with np.errstate(divide="ignore"):
            log_counts = np.log(counts)
        weights = softmax(log_radial_kernel(queries, self.X_, self.bandwidth_, self.kernel) + log_counts)
        return _line_weights(weights, queries, self.X_) if self.degree else weights


def _line_weights(weights, queries, keys):
    """Return the weights of the weighted least-squares line at the queries, equation eq:local_linear."""
    mean = weights @ keys
    from_mean = keys - mean[:, None]
    covariance = np.einsum("qn,qna,qnb->qab", weights, from_mean, from_mean)
    spread = np.sqrt(covariance.diagonal(axis1=1, axis2=2))
    rounding = 1e3 * np.finfo(float).eps * (weights @ np.abs(keys))
    spread[spread <= rounding] = np.inf  # all the weight is at one point, so the slope is 0
    correlation = covariance / (spread[:, :, None] * spread[:, None])
    inverse = np.linalg.pinv(correlation, rcond=1e-12, hermitian=True)
    step = np.einsum("qa,qab->qb", (queries - mean) / spread, inverse) / spread
    return weights * (1 + np.einsum("qb,qnb->qn", step, from_mean))
