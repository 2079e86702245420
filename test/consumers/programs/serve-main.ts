import { connect } from 'rowkey'
import { conformance } from './conformance.ts'

conformance(connect(process.env.TABLES ?? '')).then(
  (done) => console.log(done),
  (error) => {
    console.error(error)
    process.exitCode = 1
  },
)
