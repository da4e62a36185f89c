"""Argument checks of the image filters, beside those of `lib.checks`."""

import numpy as np

from lib.checks import pixel_within, real_array, whole_number

LARGEST_RADIUS = 1000


def image_planes(image):
    """The image as float32 or float64 planes `(channels, height, width)`; uint8 is divided by 255.

    >>> image_planes(np.full((2, 3), 255, np.uint8)).tolist()
    [[[1.0, 1.0, 1.0], [1.0, 1.0, 1.0]]]
    """
    image = np.asarray(image)
    if image.dtype == np.uint8:
        image = image / 255
    elif image.dtype.kind in "biu":
        raise TypeError(f"image: expected floats in [0, 1], or uint8, got dtype {image.dtype}")
    image = real_array("image", image)
    if image.ndim not in (2, 3):
        raise ValueError(f"image: expected shape (H, W) or (H, W, C), got {image.shape}")
    return np.ascontiguousarray(np.moveaxis(np.atleast_3d(image), -1, 0))


def in_shape_of(image, planes):
    """Planes `(channels, height, width)` in the image's own shape."""
    return np.ascontiguousarray(np.moveaxis(planes, 0, -1)).reshape(np.shape(image))


def whole_radius(name, radius, at_least=0):
    """The radius of a window or patch as an int, refused unless it is whole and not too large."""
    return whole_number(name, radius, at_least, LARGEST_RADIUS)


def pixel_of(planes, pixel):
    """(row, column) as two ints, refused unless that pixel lies in the image."""
    return pixel_within(planes.shape[-2:], pixel)
