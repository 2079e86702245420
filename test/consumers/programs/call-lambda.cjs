// Calls the bundled handler as the host does: twice, on the same account.
const { handler } = require('./out/lambda.cjs')

async function main() {
  for (const name of ['Jeff', 'Ann']) {
    const { body } = await handler({ version: '2.0', queryStringParameters: { name } }, {})
    console.log(`points: ${JSON.parse(body).points}`)
  }
}

main().catch((error) => {
  console.error(error)
  process.exitCode = 1
})
