"""Argument checks of the image filters, beside those of `lib.checks`."""

import numpy as np

from lib.checks import image_of_shape, pixel_within, whole_number

LARGEST_RADIUS = 1000


def image_planes(image):
    """The image as float32 or float64 planes `(channels, height, width)`; uint8 is divided by 255.

    >>> image_planes(np.full((2, 3), 255, np.uint8)).tolist()
    [[[1.0, 1.0, 1.0], [1.0, 1.0, 1.0]]]
    """
    return np.moveaxis(np.atleast_3d(image_of_shape("image", image)), -1, 0)


def whole_radius(name, radius, at_least=0):
    """The radius of a window or patch as an int, refused unless it is whole and not too large."""
    return whole_number(name, radius, at_least, LARGEST_RADIUS)


def pixel_of(planes, pixel):
    """(row, column) as two ints, refused unless that pixel lies in the image."""
    return pixel_within(planes.shape[-2:], pixel)
