import { readme } from './readme.js'

readme().then(
  (done) => console.log(`the README runs: ${done.join(' ')}`),
  (error) => {
    console.error(error)
    process.exitCode = 1
  },
)
