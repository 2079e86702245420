import type { APIGatewayProxyHandlerV2 } from 'aws-lambda'
import { connect } from 'rowkey'
import { Customer } from './customer.ts'

const account = connect(process.env.TABLES ?? '')
const customers = account.table(Customer)

export const handler: APIGatewayProxyHandlerV2 = async ({ queryStringParameters }) => {
  await customers.createIfNotExists()
  const name = queryStringParameters?.name ?? ''
  await customers.insertOrReplace({ lastName: 'Smith', firstName: name, points: 5n })
  const { points } = await customers.get(['Smith', name])
  return { statusCode: 200, body: JSON.stringify({ points: String(points) }) }
}
