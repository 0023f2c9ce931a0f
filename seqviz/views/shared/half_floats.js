// Half floats (IEEE 754: a sign, 5 bits of exponent, 10 of digits), which old browsers do not know.

let allHalves;
/** The number that each of the 65,536 stands for. */
export function halfFloats() {
  allHalves ??= Float32Array.from({length: 2 ** 16}, (_, bits) => {
    const sign = bits >> 15 ? -1 : 1;
    const [exponent, digits] = [(bits >> 10) & 31, bits & 1023];
    if (exponent === 31) return digits ? NaN : sign * Infinity;
    return sign * (exponent ? 2 ** (exponent - 25) * (1024 + digits) : 2 ** -24 * digits);
  });
  return allHalves;
}
