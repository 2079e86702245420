module.exports = {
  mode: 'production',
  entry: './compiled/main.js',
  target: 'web',
  output: { path: `${__dirname}/out` },
}
