"""Every architecture of transformers with small sizes and random weights.

Widths are divided by one factor, so that a sum or a product of widths still fits; counts are cut.
"""

import dataclasses
import re

import torch
from transformers import AutoConfig, PreTrainedConfig, PreTrainedModel
from transformers.models.auto.configuration_auto import CONFIG_MAPPING
from transformers.models.auto.modeling_auto import MODEL_MAPPING, MODEL_MAPPING_NAMES

FACTOR, LAYERS, VOCABULARY = 8, 2, 200
COUNTS = {  # at most so many
    r".*(layers|blocks|depths?)(_per_stage)?|n_layer": LAYERS,
    r".*experts": 8,
    r".*(experts|k)_per_(tok|token)|.*top_?k(_experts)?|moe_k": 2,
    r"n_groups?|num_expert_groups?": 2,
    r"topk_group": 1,
    r"(num_)?.*queries|num_denoising": 20,
    r"num_frames|frames_per_clip": 4,
}
WIDTHS = (
    r".*(width|widths|rank|ranks|dim|dims|channels|filters|hidden_size|hidden_sizes)|d_.*|"
    r"(?!kernel|patch|window|image|vocab|max|crop|type|num|chunk|block|batch|bucket).*_sizes?|"
    r"n_embd|n_inner|dim_.*|dim|.*(channels|dims|channel)_list|.*intermediate.*|.*groups|"
    r"query_pre_attn_scalar|dff|.*hidden_dimension"
)
NOT_WIDTHS = (
    r".*(kernel|patch|window|image|vocab|max_|crop|type|chunk|block|batch|bucket|step|stride|"
    r"position|codebook_size|mel|feature_size|feat_size|num_|input_size|pool|hop|seq|grid|input_dim).*"
)
ROTATED = {"rope_type": "default", "rope_theta": 10000.0}
FORECAST = {"prediction_length": 4, "context_length": 8, "lags_sequence": [1, 2]}
NEEDS = {  # by the type of the config, also of one inside another
    "autoformer": FORECAST,
    "bamba": {"attn_layer_indices": [1]},
    "bros": {"hidden_size": 192},
    "chameleon": {"vocabulary_map": {"<image>": 5}},
    "clvp_decoder": {"num_attention_heads": 2},
    "clvp_encoder": {"num_attention_heads": 2},
    "cohere_compass_text": {"layer_types": ["full_attention"] * 2},
    "cosmos3_edge_text": {"rope_parameters": ROTATED | {"mrope_section": [4, 2, 2]}},
    "cvt": {"depth": [1, 2, 3]},
    "deepseek_v2": {"num_experts_per_tok": 2},
    "dots1": {"n_routed_experts": 8, "n_shared_experts": 1, "num_experts_per_tok": 2},
    "dots3_note": {"per_layer_config": {}},
    "emu3": {"vocabulary_map": {"<image>": 5}},
    "esm": {"vocab_size": 33, "pad_token_id": 1, "mask_token_id": 32},
    "gemma3n_text": {"num_kv_shared_layers": 0},
    "gemma4_audio": {"subsampling_conv_channels": [128, 32]},
    "glm4v_text": {"rope_parameters": ROTATED | {"mrope_section": [4, 2, 2]}},
    "glm4v_moe_text": {"rope_parameters": ROTATED | {"mrope_section": [1, 0, 0]}},
    "glm_image_text": {"rope_parameters": ROTATED | {"mrope_section": [4, 2, 2]}},
    "glm_ocr_text": {"rope_parameters": ROTATED | {"mrope_section": [2, 1, 1]}},
    "glm5_next_text": {"index_topk": 16},
    "gpt_neo": {"attention_types": [[["global", "local"], 1]]},
    "granitemoehybrid": {"layer_types": ["mamba", "attention"]},
    "hunyuan_v1_dense": {"head_dim": 16},
    "hunyuan_v1_moe": {"head_dim": 16},
    "hunyuan_vl_text": {"head_dim": 16},
    "informer": FORECAST,
    "jamba": {"attn_layer_period": 2, "attn_layer_offset": 1},
    "lfm2_moe": {"layer_types": ["conv", "full_attention"]},
    "lw_detr_vit": {"num_hidden_layers": 10},
    "ministral": {"head_dim": 16},
    "mlcd_vision_model": {"hidden_size": 256},
    "mobilevit": {"hidden_sizes": [144, 192, 240]},
    "nemotron": {"head_dim": 16, "num_key_value_heads": 48},
    "time_series_transformer": FORECAST,
    "zamba": {"layer_types": ["mamba", "hybrid"]},
    "zamba2": {"layer_types": ["mamba", "hybrid"]},
}


def model_types() -> list[str]:
    """What MODEL_MAPPING knows, by the name of its config."""
    return list(MODEL_MAPPING_NAMES)


def small_model(model_type: str, **kwargs) -> PreTrainedModel:
    """A model of this type; the same weights at every call."""
    kind = MODEL_MAPPING[CONFIG_MAPPING[model_type]]
    kind = kind[0] if isinstance(kind, tuple) else kind
    torch.manual_seed(0)
    model = kind._from_config(small_config(CONFIG_MAPPING[model_type], {}), **kwargs).eval()
    for weights in model.parameters():
        if weights.dim() > 1 and weights.is_floating_point():  # as drawn, all maps are uniform
            torch.nn.init.normal_(weights, std=weights[0].numel() ** -0.5)
    return model


def small_config(kind: type[PreTrainedConfig], given: dict) -> PreTrainedConfig:
    """The config with small sizes, also inside."""
    fields = {f.name: f.default for f in dataclasses.fields(kind)} | given
    usual = {name: value for name, value in fields.items() if value is not dataclasses.MISSING}
    values = {name: small(name, value) for name, value in usual.items()}
    for name, spec in kind.sub_configs_defaults.items():
        inside = spec.config_class
        inside = CONFIG_MAPPING[spec.model_type] if inside is AutoConfig else inside
        values[name] = small_config(inside, spec.init_kwargs)
    values |= of_each_kind(kind(**given), values)
    changed = {k: v for k, v in values.items() if k in given or v is not usual.get(k)}
    return kind(**changed | NEEDS.get(kind.model_type, {}))


def of_each_kind(usual: PreTrainedConfig, values: dict) -> dict:
    """A layer of each kind, where the config names them; lists of layers as long as that."""
    name = next((n for n in ("num_hidden_layers", "num_layers") if n in values), None)
    count = name and getattr(usual, name, None)
    if not count:
        return {}
    kinds = list(dict.fromkeys(getattr(usual, "layer_types", None) or ()))
    layers = max(min(LAYERS, count), len(kinds))
    cut = {
        k: v[:layers]
        for k, v in values.items()
        if isinstance(v, list | tuple) and len(v) == count > 6
    }
    if kinds and "layer_types" in values:
        cut["layer_types"] = (kinds * LAYERS)[:layers]
    return cut | {name: layers}


def small(name: str, value: object) -> object:
    """A value of a config made small, by its name."""
    if isinstance(value, list | tuple) and value:
        return type(value)(small(name, v) for v in value)
    if name == "rope_parameters" and isinstance(value, dict):
        return {k: thirds(v) if k == "mrope_section" else small(name, v) for k, v in value.items()}
    if type(value) is not int:
        return value
    if re.fullmatch(r"(.*_)?vocab_size|.*_vocab", name):
        return min(value, VOCABULARY)
    if re.fullmatch(r".*_token_(id|index)", name):
        return value if value < VOCABULARY else 100 + sum(map(ord, name)) % 99
    for pattern, most in COUNTS.items():
        if re.fullmatch(pattern, name):
            return min(value, most)
    if re.fullmatch(r"(.*_)?image_size", name):
        return value // 4 if value > 256 and value % 4 == 0 else value
    if re.fullmatch(WIDTHS, name) and not re.fullmatch(NOT_WIDTHS, name):
        return value // FACTOR if value >= 32 and value % FACTOR == 0 else value
    return value


def thirds(section: list[int]) -> list[int]:
    """Split the frequencies of time, height and width."""
    third = sum(section) // FACTOR // 3
    return [sum(section) // FACTOR - 2 * third, third, third]
