import {
  app,
  type HttpRequest,
  type HttpResponseInit,
  type InvocationContext,
} from '@azure/functions'
import { connect, fromPlain } from 'rowkey'
import { Customer } from '../shared/customer.ts'
import { isKnown } from '../shared/is-known.ts'
import { problemOf } from '../shared/problem-of.ts'

// Once for each process, so that invocations share its connections.
const account = connect(process.env.TABLES ?? 'UseDevelopmentStorage=true')
const customers = account.table(Customer)

type Handler = (request: HttpRequest, context: InvocationContext) => Promise<HttpResponseInit>

/** Responds with a problem when the storage rejects what a handler does. */
const withProblems =
  (handler: Handler): Handler =>
  async (request, context) => {
    try {
      return await handler(request, context)
    } catch (error) {
      const problem = problemOf(error)
      if (problem.status >= 500) context.error(error)
      return { status: problem.status, jsonBody: problem }
    }
  }

export const getCustomer = withProblems(async ({ params: { country = '', id = '' }, headers }) => {
  const customer = await customers.get([country, id])
  const etag = customer.etag ?? ''
  if (isKnown(etag, headers.get('if-none-match'))) return { status: 304, headers: { etag } }
  return { jsonBody: customer, headers: { etag } }
})

export const putCustomer = withProblems(async (request) => {
  const etag = request.headers.get('if-match')
  if (etag === null) return { status: 428, jsonBody: { status: 428, title: 'Send If-Match' } }
  const customer = fromPlain(Customer, { ...Object(await request.json()), ...request.params })
  await customers.replace(customer, { etag })
  return { jsonBody: customer, headers: { etag: customer.etag ?? '' } }
})

const route = 'customers/{country}/{id}'
app.http('getCustomer', { methods: ['GET'], route, handler: getCustomer })
app.http('putCustomer', { methods: ['PUT'], route, handler: putCustomer })
app.hook.appStart(async () => void (await customers.createIfNotExists()))
app.hook.appTerminate(() => account.close({ drain: true }))
