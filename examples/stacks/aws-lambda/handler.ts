import type { APIGatewayProxyHandlerV2, APIGatewayProxyResultV2 } from 'aws-lambda'
import { connect } from 'rowkey/fetch'
import { Customer } from '../shared/customer.ts'
import { isKnown } from '../shared/is-known.ts'
import { problemOf } from '../shared/problem-of.ts'

// Once for each process: invocations share its connections. The host freezes the process, so nothing closes the account.
const account = connect(process.env.TABLES ?? 'UseDevelopmentStorage=true')
const customers = account.table(Customer)

/** `GET /customers/{country}/{id}` */
export const handler: APIGatewayProxyHandlerV2 = async ({ pathParameters, headers }) => {
  const { country = '', id = '' } = pathParameters ?? {}
  try {
    const customer = await customers.get([country, id])
    const { etag = '' } = customer
    return isKnown(etag, headers['if-none-match'])
      ? { statusCode: 304, headers: { etag } }
      : jsonOf(200, customer, { etag })
  } catch (error) {
    const problem = problemOf(error)
    if (problem.status >= 500) console.error(error)
    return jsonOf(problem.status, problem)
  }
}

function jsonOf(
  statusCode: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): APIGatewayProxyResultV2 {
  const type = 'application/json'
  return { statusCode, headers: { 'content-type': type, ...headers }, body: JSON.stringify(body) }
}
