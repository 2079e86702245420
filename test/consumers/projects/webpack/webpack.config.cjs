module.exports = (_, { target = 'node' }) => ({
  mode: 'production',
  entry: './compiled/main.js',
  target,
  output: { filename: 'main.cjs', path: `${__dirname}/out`, library: { type: 'commonjs2' } },
})
