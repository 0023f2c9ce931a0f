// A graph from what is added to a stream to the logits, in which norms and activations are held at
// what they did in a run: all that is left is linear.

import {namesIn} from '../../shared/graph/loading.js';
import {flat, sizeOf, stridesOf, Tensor} from '../../shared/graph/tensors.js';

const ACTIVATIONS = ['gelu', 'relu', 'tanh', 'leaky_relu', 'elu', 'hardtanh', 'hardswish', 'clamp'];
const ADDS = ['add', 'sub', 'rsub', 'where', 'cat'];
const HELD = 'rsqrt sqrt pow reciprocal sigmoid erf exp log log1p _softmax'.split(' ');
const TINY = 1e-9; // what an activation makes of less is nothing
const kindOf = ({op}) => op.replace(/^sym\./, '').split('.')[0];
const valueArg = name => ({value: name});

/**
 * @param {Net} net
 * @param {{leaves: Set<string>, nodes: Set<string>}} path
 * @param {Map<string, any>} values of the run
 * @param {{place: Place, tokens: number[]}[]} carried
 * @returns {Net} with `nothing`, its leaves as zeros, `states`, what was carried, and `live`, the
 * values that change with its leaves
 */
export function heldNet(net, path, values, carried) {
  return new Holding(net, path, values, carried).made();
}

class Holding {
  constructor(net, path, values, carried) {
    Object.assign(this, {net, path, values, carried});
    this.nodes = [];
    this.known = new Map(); // constants of the run
    this.live = new Set(path.leaves); // values that are made of leaves
    this.dead = new Set(); // values that are made of leaves, and held
    this.bent = new Set(); // of these what activations give
    this.instead = new Map(); // what stands for a value that was replaced
  }
  made() {
    const {net, path, values, carried, nodes, known, live} = this;
    const rows = new Map(carried.map(one => [one.place.node, one]));
    for (const node of net.nodes) {
      const {name} = node;
      if (path.nodes.has(name)) this.hold(node);
      if (rows.has(name) && this.live.has(name)) this.carry(rows.get(name));
    }
    const zero = name => [name, zeros(values.get(name))];
    const states = carried.map(one => [`carried ${one.place.node}`, ownRows(one, values)]);
    return {
      inputs: [],
      lengths: {},
      limits: {},
      output: [],
      nodes,
      done: nodes.map(() => []),
      weights: new Map([...net.weights, ...values, ...known]),
      nothing: [...[...path.leaves].map(zero), ...states.map(([n, v]) => [n, zeros(v)])],
      states,
      live,
    };
  }
  hold(node) {
    const kind = kindOf(node);
    const read = namesIn(node.args);
    const changes = read.some(name => this.live.has(name));
    const held = HELD.includes(kind);
    if (held || !changes) {
      if (changes || read.some(name => this.dead.has(name))) this.dead.add(node.name);
      return; // as it was in the run
    }
    if (kind === 'native_layer_norm') return this.norm(node);
    this.live.add(node.name);
    if (kind === 'getitem' && this.instead.has(node.args[0].value)) {
      const source = valueArg(this.instead.get(node.args[0].value));
      this.add({...node, op: 'clone', args: [source]});
    } else if (ACTIVATIONS.includes(kind)) {
      this.activation(node);
    } else if (kind === 'mul' || kind === 'div') {
      this.product(node, kind);
    } else if (ADDS.includes(kind)) {
      this.add({...node, args: node.args.map(one => this.unlessDead(one))});
    } else {
      this.add(node);
    }
  }
  // What is added as it was in the run is no sum of parts: it is left to the rest.
  unlessDead(arg) {
    if (Array.isArray(arg)) return arg.map(one => this.unlessDead(one));
    const value = this.dead.has(arg?.value) && this.values.get(arg.value);
    if (!(value?.values instanceof Float32Array)) return arg;
    return this.constant(`nothing of ${arg.value}`, zeros(value));
  }
  add(node) {
    this.nodes.push({...node, kind: 'float'});
  }
  constant(name, value) {
    this.known.set(name, value);
    return valueArg(name);
  }
  // Less its mean, times one over the deviation that it had, times its gain, and with its shift.
  norm({name, args: [x, lengths, gain, shift, eps]}) {
    if (!this.live.has(x.value)) return;
    const axes = lengths.map((_, k) => k - lengths.length);
    const rates = this.constant(`${name} rate`, ratesOf(this.values.get(x.value), lengths, eps));
    const steps = [
      ['mean', 'mean.dim', [x, axes, true]],
      ['centred', 'sub.Tensor', [x, valueArg(`${name} mean`)]],
      ['scaled', 'mul.Tensor', [valueArg(`${name} centred`), rates]],
    ];
    let last = 'scaled';
    const behind = (id, op, weight) => {
      if (!weight) return;
      steps.push([id, op, [valueArg(`${name} ${last}`), weight]]);
      last = id;
    };
    behind('gained', 'mul.Tensor', gain);
    behind('shifted', 'add.Tensor', shift);
    for (const [id, op, all] of steps) this.add({name: `${name} ${id}`, op, args: all, module: ''});
    this.instead.set(name, `${name} ${last}`);
    this.live.add(name);
  }
  activation(node) {
    const [x] = node.args;
    const before = flat(this.values.get(x.value));
    const after = this.values.get(node.name);
    const factors = flat(after).map((v, k) => (Math.abs(before[k]) < TINY ? 0 : v / before[k]));
    const factor = this.constant(`${node.name} factor`, new Tensor(factors, after.shape));
    this.bent.add(node.name);
    this.add({...node, op: 'mul.Tensor', args: [x, factor]});
  }
  // Of two factors that are made of leaves one is held: an activation's, else the last.
  product(node, kind) {
    const [a, b, ...rest] = node.args;
    const both = [a, b].every(one => this.live.has(one?.value));
    if (!both) return this.add(node);
    const k = kind === 'mul' && this.bent.has(a.value) ? 0 : 1;
    const factors = [a, b];
    const {value: name} = factors[k];
    factors[k] = this.constant(`held ${name}`, this.values.get(name));
    return this.add({...node, args: [...factors, ...rest]});
  }
  // Of a value the rows that were put in the model's place are leaves of their own.
  carry({place, tokens}) {
    const {node: name} = place;
    const {shape} = this.values.get(name);
    const stays = new Tensor(rowMask(place, shape, tokens, 0, 1), shape);
    const mask = this.constant(`stays ${name}`, stays);
    const kept = `kept ${name}`;
    this.add({name: kept, op: 'mul.Tensor', args: [valueArg(name), mask], module: ''});
    const args = [valueArg(kept), valueArg(`carried ${name}`)];
    this.add({name, op: 'add.Tensor', args, module: ''});
    this.live.add(name);
  }
}
const zeros = ({shape}) => new Tensor(new Float32Array(sizeOf(shape)), shape);
function rowMask({token}, shape, tokens, inside, outside) {
  const stride = stridesOf(shape)[token];
  return Float32Array.from({length: sizeOf(shape)}, (_, k) =>
    tokens.includes(Math.floor(k / stride) % shape[token]) ? inside : outside,
  );
}
function ownRows({place, tokens}, values) {
  const value = values.get(place.node);
  const mask = rowMask(place, value.shape, tokens, 1, 0);
  return new Tensor(
    flat(value).map((v, k) => v * mask[k]),
    value.shape,
  );
}
// One over the deviation of each row.
function ratesOf(value, lengths, eps) {
  const size = sizeOf(lengths);
  const numbers = flat(value);
  const rows = numbers.length / size;
  const rates = Float32Array.from({length: rows}, (_, r) => {
    const row = numbers.subarray(r * size, (r + 1) * size);
    const mean = row.reduce((sum, v) => sum + v, 0) / size;
    const variance = row.reduce((sum, v) => sum + (v - mean) ** 2, 0) / size;
    return 1 / Math.sqrt(variance + eps);
  });
  const shape = value.shape.map((n, axis) => (axis < value.shape.length - lengths.length ? n : 1));
  return new Tensor(rates, shape);
}
