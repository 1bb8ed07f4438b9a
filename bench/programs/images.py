# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""OpenCV on cv2.UMat: its own OpenCL kernels. Prints what came out."""
import hashlib

import cv2
import numpy as np

cv2.ocl.setUseOpenCL(True)
assert cv2.ocl.haveOpenCL() and cv2.ocl.useOpenCL(), "OpenCV finds no OpenCL"
image = cv2.UMat(np.random.RandomState(1).randint(0, 255, (720, 1280, 3)).astype(np.uint8))
for _ in range(40):
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    blurred = cv2.GaussianBlur(grey, (7, 7), 1.5)
    _, binary = cv2.threshold(blurred, 120, 255, cv2.THRESH_BINARY)
    opened = cv2.morphologyEx(binary, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    small = cv2.resize(opened, (640, 360), interpolation=cv2.INTER_LINEAR)
    edges = cv2.Laplacian(small, cv2.CV_16S, ksize=3)
    mixed = cv2.addWeighted(grey, 0.5, blurred, 0.5, 0)
    image = cv2.flip(image, 1)
print(hashlib.md5(edges.get().tobytes()).hexdigest(), hashlib.md5(mixed.get().tobytes()).hexdigest(), hashlib.md5(image.get().tobytes()).hexdigest())
