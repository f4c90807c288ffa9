"""Multinomial logistic regression with an L2 penalty, fitted by Newton's method in numpy.

Bishop, "Pattern Recognition and Machine Learning" (2006), 4.3.4. A few hundred rows by some eighty
features take well under a second, so no further library is needed to make the model again.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]

MAX_STEPS = 30
CLOSE_ENOUGH = 1e-4


def softmax(logits: Matrix) -> Matrix:
    """Rows of probabilities."""
    shifted = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(shifted / shifted.sum(axis=1, keepdims=True))


def fit(
    rows: Matrix, labels: NDArray[np.int64], weights: Matrix, strength: float, classes: int = 4
) -> tuple[Matrix, Matrix]:
    """Coefficients ``(features, classes)`` and intercepts in the units of ``rows``.

    Features are standardised for the fit, so that one ``strength`` (the inverse of the penalty, as in
    scikit-learn's ``C``) suits all; a feature that never varies gets no weight.
    """
    mean = np.average(rows, axis=0, weights=weights)
    scale = np.sqrt(np.average((rows - mean) ** 2, axis=0, weights=weights))
    scale[scale < 1e-9] = np.inf
    x = np.hstack([(rows - mean) / scale, np.ones((len(rows), 1))])
    features = x.shape[1]
    target = np.eye(classes)[labels]
    penalty = np.full(features, 1.0 / strength)
    penalty[-1] = 1e-6
    beta = np.zeros((features, classes))
    for _ in range(MAX_STEPS):
        p = softmax(x @ beta)
        gradient = x.T @ ((p - target) * weights[:, None]) + penalty[:, None] * beta
        hessian = np.empty((classes, features, classes, features))
        for j in range(classes):
            for k in range(j, classes):
                curve = weights * p[:, j] * (float(j == k) - p[:, k])
                hessian[j, :, k, :] = hessian[k, :, j, :] = (x * curve[:, None]).T @ x
            hessian[j, np.arange(features), j, np.arange(features)] += penalty
        step = np.linalg.solve(hessian.reshape(classes * features, -1), gradient.T.ravel())
        beta -= step.reshape(classes, features).T
        if np.abs(step).max() < CLOSE_ENOUGH:
            break
    coefficients = beta[:-1] / scale[:, None]
    return coefficients, beta[-1] - mean @ np.where(np.isfinite(scale)[:, None], coefficients, 0.0)
