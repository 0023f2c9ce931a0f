import torch

from seqviz import checks
from tests.checks.solutions import of_lectures
from tests.checks.styles import accept, refuse

right_split = of_lectures()["split_heads"]
right_shift = of_lectures()["shift_matrix"]
right_block = of_lectures()["block"]


def split_by_chunks(x, num_heads):
    heads = torch.stack(x.chunk(num_heads, dim=-1), dim=1)
    return [heads, torch.cat([*heads.unbind(1)], dim=-1)]


def shift_of_complex_numbers(k, d_model):
    turn = torch.exp(-1j * k / 10000 ** (torch.arange(0, d_model, 2).double() / d_model))
    basis = torch.eye(d_model, dtype=torch.float64).unflatten(1, (-1, 2)).contiguous()
    return torch.view_as_real(torch.view_as_complex(basis) * turn).flatten(1).T


def block_by_hand(x, sublayer, norm_first, eps):
    def norm(x):
        mean = x.sum(-1, keepdim=True) / x.shape[-1]
        variance = ((x - mean) ** 2).sum(-1, keepdim=True) / x.shape[-1]
        return (x - mean) * (variance + eps) ** -0.5

    y = x + sublayer(norm(x) if norm_first else x)
    return y if norm_first else norm(y)


def test_right_answers_are_accepted():
    for check, answer in (
        (checks.split_heads, split_by_chunks),
        (checks.shift_matrix, shift_of_complex_numbers),
        (checks.block, block_by_hand),
    ):
        accept(check, answer)


def backwards(heads):
    return heads.flip(1).transpose(1, 2).flatten(2)


def whole(x, eps):
    return torch.nn.functional.layer_norm(x, x.shape[1:], eps=eps)


def by_word(sublayer):
    return lambda x: torch.stack([sublayer(word) for word in x.unbind(1)], dim=1)


def test_wrong_answers_are_refused_by_their_slip():
    for check, answer, words in (
        (
            checks.split_heads,
            lambda x, n: (right_split(x, n)[0], backwards(right_split(x, n)[0])),
            "split_heads's merged",
        ),
        (
            checks.split_heads,  # heads of the page's size alone
            lambda x, n: right_split(x, n if x.shape[-1] // n == 4 else 1),
            "split_heads's heads",
        ),
        (
            checks.shift_matrix,
            lambda k, d: torch.cat([right_shift(k, d)[0::2], right_shift(k, d)[1::2]]),
            "is off by",
        ),
        (
            checks.block,  # a norm for the whole text
            lambda x, f, first, eps: x + f(whole(x, eps)) if first else whole(x + f(x), eps),
            "is off by",
        ),
        (
            checks.block,  # word by word, so that no word sees another
            lambda x, f, first, eps: right_block(x, by_word(f), first, eps),
            "is off by",
        ),
    ):
        refuse(check, answer, words)
