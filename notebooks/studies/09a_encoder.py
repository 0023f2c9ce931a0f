"""Train the small convolutional net that notebook 09a cuts at its last layer.

Its task is another one than the notebook's: which of the 17 coloured shapes of training are in the
picture? Red triangles, blue circles and green crosses are never seen.

Run `python notebooks/studies/09a_encoder.py FOLDER` (some two minutes of the processor); it writes
FOLDER/model.safetensors, in half precision, and prints the figures of its datasheet.
"""

import argparse
import json
import time
from pathlib import Path

import torch
from safetensors.torch import save_file
from torch import Tensor
from torch.nn import functional as F

import seqviz as sv

CHANNELS = (16, 32, 64)
PICTURES, STEPS, BATCH, RATE = 8000, 1200, 32, 4e-3
TEST = {"count": 1000, "seed": 1}
UNSEEN = {"count": 1000, "seed": 2, "unseen": True}


def names(scenes: list[sv.data.Scene]) -> list[str]:
    """The coloured shapes that come in scenes."""
    return sorted({thing.name for scene in scenes for thing in scene.things})


def present(scenes: list[sv.data.Scene], known: list[str]) -> Tensor:
    """1 for each known name that is in the scene, (scenes, names)."""
    found = [{thing.name for thing in scene.things} for scene in scenes]
    return torch.tensor([[float(name in inside) for name in known] for inside in found])


@torch.no_grad()
def all_right(model: sv.nn.PictureClassifier, scenes: list, known: list[str]) -> float:
    """Share of the pictures of which every one of the names is judged right."""
    said = torch.cat(
        [model(sv.data.pictures_of(scenes[k : k + 250])) > 0 for k in range(0, len(scenes), 250)]
    )
    return (said == present(scenes, known).bool()).all(dim=1).float().mean().item()


@torch.no_grad()
def to_scale(model: sv.nn.PictureClassifier, pictures: Tensor) -> None:
    """Bring the regions to a standard deviation of 1/4; the last layer undoes it.

    Beside their places, which go from -3.5 to 3.5, larger numbers would drown these.
    """
    size = 4 * model.encoder(pictures).std()
    norm = model.encoder.layers[-1][1]
    norm.weight /= size
    norm.bias /= size
    model.output.weight *= size


def main() -> None:
    """Train, save, and print what the datasheet says."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    torch.set_num_threads(1)
    torch.manual_seed(0)
    scenes = sv.data.shapes(PICTURES, seed=0)
    pictures, known = sv.data.pictures_of(scenes), names(scenes)
    labels = present(scenes, known)
    sizes = {"in_channels": 3, "channels": CHANNELS}
    model = sv.nn.PictureClassifier(sv.nn.ConvEncoder(**sizes), len(known))
    adam = torch.optim.Adam(model.parameters(), RATE)
    rate = torch.optim.lr_scheduler.OneCycleLR(adam, RATE, STEPS)
    began = time.process_time()
    for step in range(1, STEPS + 1):
        rows = torch.randint(PICTURES, (BATCH,))
        loss = F.binary_cross_entropy_with_logits(model(pictures[rows]), labels[rows])
        adam.zero_grad()
        loss.backward()
        adam.step()
        rate.step()
        if step % 100 == 0:
            print(step, f"loss {loss.item():.4f}, {time.process_time() - began:.0f} s", flush=True)
    model.eval()
    to_scale(model, pictures[:500])
    weights = {name: value.half() for name, value in model.state_dict().items()}
    about = {"vocabulary": json.dumps(known), "sizes": json.dumps(sizes)}
    save_file(weights, folder / "model.safetensors", metadata=about)
    model.load_state_dict(weights)
    for name, given in {"test": TEST, "unseen": UNSEEN}.items():
        print(name, f"{all_right(model, sv.data.shapes(**given), known):.3f}")
    print(len(weights), sum(value.numel() for value in weights.values()))


if __name__ == "__main__":
    main()
