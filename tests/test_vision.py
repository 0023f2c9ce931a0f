"""`sv.regions`: where vision models attend on their picture, and what they are refused for."""

import numpy as np
import pytest
import torch
import transformers as hf
from torch import nn

import seqviz as sv
from seqviz.running.patches import Patches

SIZES = {"hidden_size": 24, "num_hidden_layers": 2, "num_attention_heads": 4}
SIZES |= {"intermediate_size": 32, "image_size": 32, "patch_size": 8, "initializer_range": 0.3}
PIXELS = torch.rand(1, 3, 32, 32, generator=torch.Generator().manual_seed(1))


class Own(nn.Module):
    """A vision transformer of torch.nn: patches in an order of its own, special tokens last."""

    def __init__(self, content=1.0, places=1.0):
        super().__init__()
        torch.manual_seed(0)
        self.order = [(7 * r) % 12 for r in range(12)]
        self.content = content
        self.cut, self.line = nn.Unfold(8, stride=8), nn.Linear(192, 16)
        self.summary = nn.Parameter(torch.randn(2, 16))
        self.places = nn.Parameter(places * torch.randn(14, 16))
        layer = nn.TransformerEncoderLayer(16, 2, 24, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, 2)

    def forward(self, x):
        patches = self.content * self.line(self.cut(x).transpose(1, 2))[:, self.order]
        tokens = torch.cat([patches, self.summary.expand(len(x), -1, -1)], 1)
        return self.encoder(tokens + self.places)


WIDE = torch.rand(1, 3, 24, 32, generator=torch.Generator().manual_seed(2))


def test_maps_are_the_models_own_and_special_tokens_have_its_names():
    registers = [f"register_tokens {k}" for k in (1, 2)]
    cases = {
        "ViT": ["cls_token"],
        "DeiT": ["cls_token", "distillation_token"],
        "Beit": ["cls_token"],
        "Dinov2": ["cls_token"],
        "Dinov2WithRegisters": ["cls_token", *registers],
        "CLIPVision": ["class_embedding"],
        "SiglipVision": [],
    }
    for name, special in cases.items():
        config = getattr(hf, f"{name}Config")(**SIZES)
        config.num_register_tokens = 2
        model = getattr(hf, f"{name}Model")(config).train()
        model.requires_grad_(name == "ViT")
        model.set_attn_implementation("eager")
        view = sv.regions(model, {"pixel_values": PIXELS})
        assert (view.here.special, view.here.grid) == (special, (4, 4)), name
        assert model.training, name
        assert {p.requires_grad for p in model.parameters()} == {name == "ViT"}, name
        with torch.no_grad():
            own = model.eval()(PIXELS, output_attentions=True).attentions
        order = [*range(len(special), 16 + len(special)), *range(len(special))]
        for film, maps in zip(view.films, own, strict=True):
            expected = maps[0][:, order][:, :, order]
            assert film.weights == pytest.approx(expected.numpy(), abs=1e-5), name


def test_patches_are_told_by_the_pixels_that_reach_them():
    model, state = Own(), torch.random.get_rng_state()
    view = sv.regions(model, WIDE, layers=[1], region=3)
    assert torch.equal(state, torch.random.get_rng_state())
    assert (view.here.grid, view.here.special) == ((3, 4), ["summary 1", "summary 2"])
    assert (view.here.title, view.region, len(view.films)) == ("1", 3, 1)
    with sv.record(model.eval()) as rec, torch.no_grad():
        model(WIDE)
    maps = rec.attention["encoder.layers.1.self_attn"][0].values[0]
    at = np.argsort(model.order)  # token of each patch
    assert view.here.weights[:, :12, :12] == pytest.approx(maps[:, at][:, :, at], abs=1e-5)


def test_shuffled_patches_tell_content_from_place():
    content = sv.regions(Own(content=20, places=0), WIDE).here.shuffled
    assert content[..., 0] == pytest.approx(np.ones((2, 14)), abs=1e-5)
    assert content[..., 1].mean() < 0.95
    place = sv.regions(Own(content=1e-6), WIDE).here.shuffled
    assert place[..., 1] == pytest.approx(np.ones((2, 14)), abs=1e-3)
    assert place[..., 0].mean() < 0.95
    patches = Patches([*range(12)], (3, 4), (0, 0, 24, 32))
    mixed, first = patches.shuffled(WIDE), patches.moved[0]
    y, x = 8 * (first // 4), 8 * (first % 4)
    assert torch.equal(mixed[..., y : y + 8, x : x + 8], WIDE[..., :8, :8])
    assert torch.equal(mixed.flatten().sort()[0], WIDE.flatten().sort()[0])


def test_bad_input_says_what_is_wrong():
    vit = hf.ViTModel(hf.ViTConfig(**SIZES))
    swin = {"image_size": 32, "patch_size": 2, "embed_dim": 8, "depths": [2], "num_heads": [2]}
    clip = hf.CLIPModel(hf.CLIPConfig(vision_config=hf.CLIPVisionConfig(**SIZES)))
    bert = sv.nn.BERT(40, 8, num_hidden_layers=1, num_attention_heads=2)
    overlapping = Own()
    overlapping.cut = nn.Unfold(10, stride=8, padding=1)
    overlapping.line = nn.Linear(300, 16)
    cases = [
        ((vit, torch.rand(4, 3, 32, 32)), "inputs: expected one picture, came a batch of 4"),
        ((vit, PIXELS[0]), r"inputs: expected the pixels .* came \(3, 32, 32\)"),
        ((vit, (255 * PIXELS).byte()), "inputs: expected the pixels of one picture, floats"),
        ((vit, PIXELS[..., :24]), r"pixels \(1, 3, 32, 24\): Input image size"),
        ((vit, PIXELS, np.ones((8, 8))), r"picture: expected the size .*\(32, 32\), came \(8, 8\)"),
        ((bert, PIXELS), "BERT does not run on pixels .*; expected a model that reads pictures"),
        ((clip, PIXELS), "model: CLIPModel does not run .*; give its vision_model"),
        ((nn.Conv2d(3, 4, 2), PIXELS), "has nothing to record"),
        ((hf.SwinModel(hf.SwinConfig(**swin, window_size=4)), PIXELS),
            "model: SwinModel attends within windows, expected one grid .* found .*block=16"),
        ((hf.ViTMAEModel(hf.ViTMAEConfig(**SIZES)), PIXELS),
            "expected patches of one size in rows and columns, came 4 tokens"),
        ((overlapping, WIDE), "model: Own reads .*% of the pixels with several tokens"),
        (("vit", PIXELS), "model"),
    ]  # fmt: skip
    for given, said in cases:
        more = {"picture": given[2]} if len(given) > 2 else {}
        with pytest.raises((TypeError, ValueError), match=said):
            sv.regions(*given[:2], **more)
    with pytest.raises(ValueError, match="layers: expected some of 0 to 1, came"):
        sv.regions(vit, PIXELS, layers=[2])
    film = {"picture": np.ones((8, 8)), "grid": (2, 2), "attention": np.full((1, 5, 5), 0.2)}
    for more, said in [
        ({}, r"expected the weights .* \(heads, 4, 4\) for 4 tokens, came \(1, 5, 5\)"),
        ({"tokens": ["a", 0, 1, 2, 2]}, "each patch of 0 to 3 once, .* came 4 patches"),
        ({"grid": (3, 2)}, "expected patches of whole pixels, came 3 x 2 patches over 8 x 8"),
        ({"tokens": ["a", 0, 1, 2, 3], "shuffled": np.ones((1, 4, 2))}, r"expected \(1, 5, 2\)"),
    ]:
        with pytest.raises(ValueError, match=said):
            sv.view.regions({**film, **more})
