"""The JavaScript twins of `lib`, run in Node: their numbers equal those of `lib`."""

import base64
import functools
import json
import subprocess
import zlib

import numpy as np
import pytest

from lib import filters
from lib.diffusion import denoise, denoise_weights
from lib.figures import pixel_figure, your_photo_figure
from lib.figures.contract.packing import packed, packed_model, packed_photograph, packed_pictures, training_images
from lib.heads import measure, name_heads, repeated_fraction
from lib.images import cat_face
from lib.language_model import load, rotate
from lib.noise import box_muller_noise
from lib.years import (
    FREQUENCY_SEED,
    METHODS,
    N_FREQUENCIES,
    attention,
    bandwidth,
    cleaned,
    estimated_noise_std,
    noisy,
    performer,
    photograph_maps,
    window_weights,
)
from lib.years import weights as weights_of_lib
from tools.build.bundle_figures import ESBUILD, FIGURES

RNG = np.random.default_rng(8)
GREY, COLOUR = RNG.random((11, 13)), RNG.random((11, 13, 3))
PICTURES, NOISY = RNG.uniform(-1, 1, (6, 5, 7)), RNG.normal(size=(5, 7))
ALL_GREYS = np.stack(3 * [np.arange(256).reshape(16, 16) / 127.5 - 1])
AS_LISTS = "(_, value) => (ArrayBuffer.isView(value) ? [...value] : value)"


@functools.cache
def bundled():
    """Return a script that defines `methods`: its modules by name, and the decoder of photographs."""
    paths = [*sorted((FIGURES / "methods").glob("*.js")), FIGURES / "parts" / "photograph.js"]
    exports = "".join(f'export * as {path.stem} from "{path}";' for path in paths)
    command = [*ESBUILD, "--bundle", "--global-name=methods", "--log-level=warning"]
    return subprocess.run(command, input=exports, capture_output=True, text=True, check=True).stdout


def in_node(body, **data):
    """Return what the body of a JavaScript function of `data` and `methods` returns."""
    call = f"((data) => {{ {body} }})({json.dumps(data)})"
    script = f"{bundled()}\nconsole.log(JSON.stringify({call}, {AS_LISTS}));"
    done = subprocess.run(["node", "-"], input=script, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def image_of(array):
    """Return an image as the methods take it."""
    planes = np.moveaxis(np.atleast_3d(array), -1, 0)
    return {
        "height": planes.shape[1],
        "width": planes.shape[2],
        "planes": planes.reshape(len(planes), -1).tolist(),
    }


def test_noise_equals_lib():
    found = in_node("return methods.noise.boxMullerNoise(data.seed, data.size);", seed=3, size=500)
    np.testing.assert_allclose(found, box_muller_noise(3, 500), rtol=0, atol=1e-12)


SPACE = {"position_block": "gaussian", "bandwidth_space": 1.7}
FILTERS = {
    "bilateral": (
        lambda image: filters.bilateral(image, 1.7, 0.4, 3),
        {**SPACE, "value_block": "pixel", "bandwidth_value": 0.4, "radius": 3, "patch_radius": 0, "forgiven": 0},
    ),
    "nonlocal_means": (
        lambda image: filters.nonlocal_means(image, 0.3, 2, 3, noise_std=0.1),
        {
            **{"position_block": "none", "bandwidth_space": 1, "value_block": "patch", "bandwidth_value": 0.3},
            **{"radius": 3, "patch_radius": 2, "patch_weights": "gaussian", "forgiven": 2 * 0.1**2},
        },
    ),
    "lark": (
        lambda image: filters.lark(image, 2.5, 3),
        {
            **{"position_block": "steering", "bandwidth_space": 2.5, "value_block": "none", "bandwidth_value": 1},
            **{"radius": 3, "patch_radius": 0, "forgiven": 0},
        },
    ),
}
FILTER = """
const { image, setting, disk } = data;
const steering = setting.position_block === "steering" && methods.filters.steeringPlanes(image, disk);
const steps = methods.filters.filterInSteps(methods.filters.windowKernel(image, steering, setting));
for (;;) {
  const { done, value } = steps.next();
  if (done) return value;
}"""


@pytest.mark.parametrize("image", [GREY, COLOUR], ids=["grey", "colour"])
@pytest.mark.parametrize("name", FILTERS)
def test_filtered_image_equals_lib(name, image):
    filtered, setting = FILTERS[name]
    disk = pixel_figure(GREY, "lark").figure.disk
    found = in_node(FILTER, image=image_of(image), setting=setting, disk=disk)
    np.testing.assert_allclose(found, image_of(filtered(image))["planes"], rtol=0, atol=1e-9)


def test_average_by_positions_equals_lib():
    setting = {"radius": 4, "bandwidth_space": 1.7}
    found = in_node(
        "return methods.filters.positionAverages(data.image, data);", image=image_of(COLOUR), **setting
    )
    flat = filters.bilateral(COLOUR, 1.7, 1e150, 4)
    np.testing.assert_allclose(found, image_of(flat)["planes"], rtol=0, atol=1e-9)


@pytest.mark.parametrize("length", [1, 2, 5])
def test_border_is_mirrored_like_numpy(length):
    reach = range(-7, length + 7)
    found = in_node(
        "return data.all.map((i) => methods.filters.mirrored(i, data.length));", all=list(reach), length=length
    )
    assert found == np.pad(np.arange(length), 7, mode="reflect").tolist()


DENOISED = """
const { noisy, pictures, height, width } = data, all = [...noisy.keys()];
const { denoiseWeights, averagePicture, denoisePatches } = methods.diffusion;
const weights = denoiseWeights(noisy, pictures, 0.8, all);
return [weights, averagePicture(weights, pictures), denoisePatches(noisy, pictures, 0.8, 1, { height, width })];"""


def test_denoised_image_equals_lib():
    flat = [picture.ravel().tolist() for picture in PICTURES]
    found = in_node(DENOISED, noisy=NOISY.ravel().tolist(), pictures=flat, height=5, width=7)
    expected = (
        denoise_weights(NOISY, PICTURES, 0.8),
        *(denoise(NOISY, PICTURES, 0.8, r).ravel() for r in (None, 1)),
    )
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, other, rtol=0, atol=1e-12)


MODEL = """
const { loss, openModel, run, vocabulary } = methods.language_model, { headMetrics, nameOfHead } = methods.heads;
const model = openModel(data.stored), { encode } = vocabulary(data.stored);
const tokens = encode(data.text), kernels = model.blocks.map((_, b) => data.kernels[b]);
const { logits, weights, fixedQuery } = run(model, tokens, kernels);
const metricsOf = headMetrics()(tokens);
const found = weights.flatMap((block, b) => block.map((own, h) => metricsOf(own, fixedQuery[b][h])));
return { tokens, logits, weights, loss: loss(logits, tokens), found,
  names: found.map(nameOfHead) };"""


def test_language_model_and_head_metrics_equal_lib():
    text = "The king said to his daughter, the king has a daughter who said to the king"
    model = load()
    tokens, kernels = model.encode(text), 4 * [4 * [{"name": "dot product", "factor": 1}]]
    found = in_node(MODEL, stored=packed_model(), text=text, kernels=kernels)
    run = model.run(tokens)
    assert found["tokens"] == list(tokens)
    np.testing.assert_allclose(found["logits"], run.logits.ravel(), rtol=0, atol=1e-6)
    np.testing.assert_allclose(found["weights"], run.weights.reshape(4, 4, -1), rtol=0, atol=1e-8)
    assert found["loss"] == pytest.approx(model.loss(tokens), abs=1e-7)
    queries, keys = (each.reshape(16, *each.shape[2:]) for each in (run.queries, run.keys))
    metrics = measure(queries, keys, tokens=tokens, rotate=rotate)
    for name in metrics.keys() & found["found"][0].keys():
        np.testing.assert_allclose([head[name] for head in found["found"]], metrics[name], atol=1e-7, err_msg=name)
    assert found["names"] == name_heads(metrics, repeated_fraction(tokens))


def test_packed_photograph_is_decoded():
    image = cat_face()[:20, :30]
    found = in_node(
        "return methods.photograph.unpackPhotograph(data.packed).planes;", packed=packed_photograph(image)
    )
    np.testing.assert_allclose(found, image_of(image)["planes"], rtol=0, atol=1e-12)


@pytest.mark.parametrize("planes", [RNG.integers(0, 256, (2, 3, 4)) / 255, RNG.normal(size=(2, 3, 4))])
def test_packed_planes_are_decoded(planes):
    found = in_node("return methods.photograph.unpack(data.packed).planes;", packed=packed(planes))
    np.testing.assert_array_equal(np.array(found), planes.reshape(2, -1))


def unpacked(images):
    levels, places = packed_pictures(images).values()
    indices = np.frombuffer(zlib.decompress(base64.b64decode(places)), np.uint8)
    return np.array(levels)[indices].reshape(images.shape)


def test_training_images_are_rounded_to_nearest_of_256_levels():
    many = RNG.uniform(-1, 1, (3, 40, 40))
    rounded = training_images(many)
    assert len(np.unique(rounded)) <= 256
    np.testing.assert_allclose(rounded, np.rint((many + 1) * 127.5) / 127.5 - 1, rtol=0, atol=1e-6)
    np.testing.assert_array_equal(training_images(ALL_GREYS), ALL_GREYS.astype(np.float32))
    for images in (rounded, training_images(ALL_GREYS)):
        np.testing.assert_array_equal(unpacked(images), images)


CLEANED = """
const { image, box, given, seed, pixel } = data, d = given.moment.length;
const frequencies = methods.noise.boxMullerNoise(seed, given.count * d);
return given.methods.map(({ year }) => [methods.years.createMethods(image, { ...given, frequencies })(year, pixel),
  methods.years.cleanBox(image, box, year, { ...given, frequencies })]);"""


def given_of_page():
    """Return what a page is given of the methods of `lib.years`."""
    figure = your_photo_figure().figure
    *maps, moment = photograph_maps()
    return {
        **{"methods": figure.methods, "disk": figure.disk, "radius": figure.radius, "count": N_FREQUENCIES},
        **{
            "patch_radius": figure.patch_radius,
            "maps": [m.ravel().tolist() for m in maps],
            "moment": moment.tolist(),
        },
    }


def test_weights_and_cleaned_pixels_of_years_equal_lib():
    image, (rows, columns), pixel = noisy(cat_face())[:40, :50], np.indices((3, 4)).reshape(2, -1), (2, 45)
    box = {"top": 0, "left": 0, "height": 3, "width": 4}
    found = in_node(
        CLEANED, image=image_of(image), box=box, given=given_of_page(), seed=FREQUENCY_SEED, pixel=pixel
    )
    padded = np.pad(image, ((7, 7), (7, 7), (0, 0)), mode="reflect")
    windows = np.array([padded[r : r + 15, c : c + 15].reshape(-1, 3) for r, c in zip(rows, columns, strict=True)])
    heads = {2017: attention(image), 2020: performer(image, maps=photograph_maps())}
    for year, (weights, planes) in zip(METHODS, found, strict=True):
        head = heads.get(year)
        expected = window_weights(head, pixel) if head else weights_of_lib(image, pixel, year)
        np.testing.assert_allclose(weights, expected.ravel(), rtol=0, atol=1e-9, err_msg=year)
        colours = head(rows, columns, windows) if head else cleaned(image, year)[rows, columns]
        np.testing.assert_allclose(np.transpose(planes), colours, rtol=0, atol=1e-9, err_msg=year)


ESTIMATED = """
const { levels, height, width, ways, noises, strengths, usual } = data;
const at = ways.map((way) => noises.map((noise) => strengths.map((strength) =>
  methods.years.bandwidthFor(way, noise, strength, usual))));
return [methods.years.estimatedNoiseStd({ data: levels, height, width }), at];"""


def test_estimated_noise_and_bandwidths_of_years_equal_lib():
    levels, noises, strengths = RNG.integers(0, 256, (30, 41, 4)), [0, 0.003, 0.05, 0.2], [0.25, 1, 3]
    figure = your_photo_figure().figure
    ways, usual = [figure.bandwidths[year] for year in METHODS], figure.example_noise_std
    std, found = in_node(
        ESTIMATED,
        **{"levels": levels.ravel().tolist(), "height": 30, "width": 41, "ways": ways},
        **{"noises": noises, "strengths": strengths, "usual": usual},
    )
    assert std == pytest.approx(estimated_noise_std(levels[..., :3] / 255), rel=1e-12)
    expected = [
        [[bandwidth(year, noise, strength) for strength in strengths] for noise in noises] for year in METHODS
    ]
    np.testing.assert_allclose(found, expected, rtol=1e-12)
