module.exports = {
  mode: 'production',
  entry: './compiled/bundle.js',
  target: 'node',
  output: { filename: 'main.cjs', path: `${__dirname}/out`, library: { type: 'commonjs2' } },
}
