module.exports = {
  mode: 'production',
  entry: './compiled/main.js',
  target: 'node',
  output: { filename: 'main.cjs', path: `${__dirname}/out`, library: { type: 'commonjs2' } },
}
