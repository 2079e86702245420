module.exports = {
  mode: 'production',
  entry: './compiled/bundle.js',
  target: 'web',
  output: { path: `${__dirname}/out` },
}
