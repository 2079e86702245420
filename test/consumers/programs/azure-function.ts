// A function as setup.md writes it, and a call of its handler with the types of the host.
import { app, HttpRequest, type HttpResponseInit } from '@azure/functions'
import { connect } from 'rowkey'
import { Customer } from './customer.ts'

const account = connect(process.env.TABLES ?? '')
const customers = account.table(Customer)

async function customer(request: HttpRequest): Promise<HttpResponseInit> {
  const { points } = await customers.get(['Smith', request.query.get('name') ?? ''])
  return { jsonBody: { points: String(points) } }
}
app.http('customer', { handler: customer })

async function main(): Promise<void> {
  await customers.createIfNotExists()
  await customers.insertOrReplace({ lastName: 'Smith', firstName: 'Jeff', points: 5n })
  const url = 'http://localhost:7071/api/customer?name=Jeff'
  for (const _ of [1, 2]) {
    const { jsonBody } = await customer(new HttpRequest({ method: 'GET', url }))
    console.log(`points: ${jsonBody.points}`)
  }
  await account.close()
}

main().catch((error: unknown) => {
  console.error(error)
  process.exitCode = 1
})
