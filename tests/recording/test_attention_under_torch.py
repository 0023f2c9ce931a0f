"""record of attention under what else torch has: transforms, tensors without numbers, exports."""

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from torch import nn

from seqviz.recording import record


class Look(nn.Module):
    """Attention of a tensor to itself."""

    num_heads = 2

    def __init__(self, fused):
        super().__init__()
        self.read, self.fused = nn.Linear(8, 8), fused

    def forward(self, x):
        q = self.read(x).unflatten(-1, (2, 4)).transpose(1, 2)
        if self.fused:
            return F.scaled_dot_product_attention(q, q, q)
        return (q @ q.mT).softmax(dim=-1) @ q


FUSED = pytest.mark.parametrize("fused", [False, True])


@FUSED
def test_weights_inside_torch_func_grad_are_recorded(fused):
    model, x = Look(fused), torch.randn(3, 5, 8)
    with record(model) as plain:
        model(x)
    with record(model) as rec:
        torch.func.grad(lambda x: model(x).sum())(x)
    (one,), (other,) = rec.attention[""], plain.attention[""]
    np.testing.assert_allclose(one, other, atol=1e-6)


@FUSED
@pytest.mark.filterwarnings("ignore:There is a performance drop")  # torch's own words
def test_vmap_is_refused_in_words(fused):
    model = Look(fused)
    with pytest.raises(ValueError, match=r"inside torch\.func\.vmap came"), record(model):
        torch.func.vmap(model)(torch.randn(2, 3, 5, 8))


@pytest.mark.parametrize(("fused", "strict"), [(False, True), (True, False)])
def test_an_export_is_of_the_model_itself(fused, strict):
    model, x = Look(fused), torch.randn(3, 5, 8)
    with record(model) as rec:
        module = torch.export.export(model, (x,), strict=strict).module()
        expected = model(x)
    torch.testing.assert_close(module(x), expected)
    assert len(rec.attention[""]) == 1
