"""A vision transformer: patches, a class token, one projection for query, key and value."""

import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads, self.scale = heads, (dim // heads) ** -0.5
        self.qkv, self.proj = nn.Linear(dim, 3 * dim, bias=False), nn.Linear(dim, dim)
        self.attend, self.drop = nn.Softmax(dim=-1), nn.Dropout(0.3)

    def forward(self, x):
        B, N, C = x.shape
        qkv = self.qkv(x).reshape(B, N, 3, self.heads, C // self.heads).permute(2, 0, 3, 1, 4)
        q, k, v = qkv.unbind(0)
        attn = self.drop(self.attend(q * self.scale @ k.transpose(-2, -1)))
        return self.proj((attn @ v).transpose(1, 2).reshape(B, N, C))


class Block(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.norm, self.attn = nn.LayerNorm(dim), Attention(dim, heads=2)

    def forward(self, x):
        return x + self.attn(self.norm(x))


class VisionTransformer(nn.Module):
    def __init__(self, dim=8, patch=2, patches=4):
        super().__init__()
        self.patch_embed = nn.Conv2d(3, dim, patch, patch)
        self.cls_token = nn.Parameter(torch.randn(1, 1, dim))
        self.pos_embed = nn.Parameter(torch.randn(1, patches + 1, dim))
        self.blocks, self.head = nn.Sequential(Block(dim), Block(dim)), nn.Linear(dim, 3)

    def forward(self, images):
        x = self.patch_embed(images).flatten(2).transpose(1, 2)
        x = torch.cat([self.cls_token.expand(len(x), -1, -1), x], dim=1) + self.pos_embed
        return self.head(self.blocks(x)[:, 0])
