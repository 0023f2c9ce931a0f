"""A small training run that the tests of training and of its checkpoints share."""

import random

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def make(seed=0, shuffle=True, generator=None):
    """A net with dropout, and shuffled batches: five in a pass."""
    torch.manual_seed(seed)
    random.seed(seed)
    np.random.seed(seed)  # noqa: NPY002 - the generator that setup() seeds
    model = nn.Sequential(nn.Linear(3, 8), nn.Dropout(0.3), nn.Tanh(), nn.Linear(8, 1))
    x = torch.linspace(-1, 1, 54).reshape(18, 3)
    data = TensorDataset(x, x.sum(-1, keepdim=True).sin())
    own = None if generator is None else torch.Generator().manual_seed(generator)
    return model, DataLoader(data, batch_size=4, shuffle=shuffle, generator=own)


def loss(model, batch):
    x, y = batch
    return F.mse_loss(model(x), y)


class Crash(Exception):
    pass


def crash_at(step):
    def on_step(now, _):
        if now == step:
            raise Crash

    return on_step


def state_of(model):
    return {name: tensor.clone() for name, tensor in model.state_dict().items()}


def draws():
    return torch.rand(3).tolist(), random.random(), np.random.rand()  # noqa: NPY002
