import pytest
import torch

from seqviz import checks
from tests.checks.styles import accept, refuse


def right_split(x, num_heads):
    batch, time, d_model = x.shape
    heads = x.reshape(batch, time, num_heads, d_model // num_heads).transpose(1, 2)
    return heads, heads.transpose(1, 2).reshape(batch, time, d_model)


def split_by_chunks(x, num_heads):
    heads = torch.stack(x.chunk(num_heads, dim=-1), dim=1)
    return [heads, torch.cat([*heads.unbind(1)], dim=-1)]


def right_shift(k, d_model):
    M = torch.zeros(d_model, d_model)
    for i in range(d_model // 2):
        angle = torch.tensor(k / 10000 ** (2 * i / d_model))
        c, s = angle.cos(), angle.sin()
        M[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = torch.tensor([[c, s], [-s, c]])
    return M


def shift_of_complex_numbers(k, d_model):
    turn = torch.exp(-1j * k / 10000 ** (torch.arange(0, d_model, 2).double() / d_model))
    basis = torch.eye(d_model, dtype=torch.float64).unflatten(1, (-1, 2)).contiguous()
    return torch.view_as_real(torch.view_as_complex(basis) * turn).flatten(1).T


def right_block(x, sublayer, norm_first, eps):
    def norm(x):
        return torch.nn.functional.layer_norm(x, x.shape[-1:], eps=eps)

    return x + sublayer(norm(x)) if norm_first else norm(x + sublayer(x))


def block_by_hand(x, sublayer, norm_first, eps):
    def norm(x):
        mean = x.sum(-1, keepdim=True) / x.shape[-1]
        variance = ((x - mean) ** 2).sum(-1, keepdim=True) / x.shape[-1]
        return (x - mean) * (variance + eps) ** -0.5

    y = x + sublayer(norm(x) if norm_first else x)
    return y if norm_first else norm(y)


@pytest.mark.parametrize(
    ("check", "answer"),
    [
        (checks.split_heads, right_split),
        (checks.split_heads, split_by_chunks),
        (checks.shift_matrix, right_shift),
        (checks.shift_matrix, shift_of_complex_numbers),
        (checks.block, right_block),
        (checks.block, block_by_hand),
    ],
)
def test_right_answers_are_accepted(check, answer):
    accept(check, answer)


def normed(x, eps, **options):
    return (x - x.mean(-1, keepdim=True)) / (x.var(-1, keepdim=True, **options) + eps).sqrt()


def backwards(heads):
    return heads.flip(1).transpose(1, 2).flatten(2)


def over_root(x, eps):
    centred = x - x.mean(-1, keepdim=True)
    return centred / (centred.square().mean(-1, keepdim=True).sqrt() + eps)


def whole(x, eps):
    return torch.nn.functional.layer_norm(x, x.shape[1:], eps=eps)


def by_word(sublayer):
    return lambda x: torch.stack([sublayer(word) for word in x.unbind(1)], dim=1)


def reshaped(x, num_heads):
    return x.reshape(len(x), num_heads, x.shape[1], -1), x


@pytest.mark.parametrize(
    ("check", "answer", "words"),
    [
        (checks.split_heads, reshaped, "a reshape keeps the order of the numbers"),
        (
            checks.split_heads,
            lambda x, n: (x.unflatten(-1, (-1, n)).permute(0, 3, 1, 2), x),
            "side by side, not every",
        ),
        (checks.split_heads, lambda x, n: (x.unflatten(-1, (n, -1)), x), "time stands before"),
        (
            checks.split_heads,
            lambda x, n: (right_split(x, n)[0], right_split(x, n)[0].reshape(x.shape)),
            "before time and head are swapped back",
        ),
        (
            checks.split_heads,
            lambda x, n: [right_split(x, n)[0]] * 2,
            "put them side by side again",
        ),
        (
            checks.split_heads,
            lambda x, n: (right_split(x, n)[0], backwards(right_split(x, n)[0])),
            "merged (the second tensor)",
        ),
        (
            checks.split_heads,  # heads of the page's size alone
            lambda x, n: right_split(x, n if x.shape[-1] // n == 4 else 1),
            "heads (the first tensor)",
        ),
        (
            checks.split_heads,
            lambda x, n: (right_split(x, n)[0].squeeze(-1), x),
            "one dimension too few",
        ),
        (checks.shift_matrix, lambda k, d: right_shift(k, d).T, "it turns backwards"),
        (checks.shift_matrix, lambda k, d: right_shift(abs(k), d), "with k = -2"),
        (
            checks.shift_matrix,
            lambda k, d: torch.block_diag(
                *[right_shift(k / 10000 ** (i / d), 2) for i in range(d // 2)]
            ),
            "not i / d_model",
        ),
        (
            checks.shift_matrix,
            lambda k, d: torch.cat([right_shift(k, d)[0::2], right_shift(k, d)[1::2]]),
            "is off by",
        ),
        (checks.shift_matrix, lambda k, d: right_shift(1, d), "turn by k"),
        (
            checks.shift_matrix,
            lambda k, d: torch.block_diag(*[right_shift(k, 2)] * (d // 2)),
            "as fast as the first",
        ),
        (checks.block, lambda x, f, first, eps: right_block(x, f, not first, eps), "other place"),
        (checks.block, lambda x, f, first, eps: right_block(x, f, first, 0), "eps is missing"),
        (checks.block, lambda x, f, first, eps: x + f(x), "not normed at all"),
        (
            checks.block,
            lambda x, f, first, eps: (
                x + f(over_root(x, eps)) if first else over_root(x + f(x), eps)
            ),
            "eps stands under the root",
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
        (
            checks.block,
            lambda x, f, first, eps: x + f(normed(x, eps)) if first else normed(x + f(x), eps),
            "not by d_model - 1",
        ),
        (
            checks.block,
            lambda x, f, first, eps: (
                f(right_block(x, lambda y: 0 * y, False, eps))
                if first
                else right_block(f(x), lambda y: 0 * y, False, eps)
            ),
            "the shortcut is missing",
        ),
    ],
)
def test_wrong_answers_are_refused_by_their_slip(check, answer, words):
    refuse(check, answer, words)
