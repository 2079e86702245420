import Fastify, { type FastifyError, type FastifyInstance } from 'fastify'
import { type Account, continuationTokenPattern, fromPlain, isRowkeyError } from 'rowkey'
import { Customer } from '../shared/customer.ts'
import { isKnown } from '../shared/is-known.ts'
import { problemOf } from '../shared/problem-of.ts'

interface OneCustomer {
  readonly Params: { readonly country: string; readonly id: string }
}

interface PageOfCustomers {
  readonly Params: { readonly country: string }
  readonly Querystring: { readonly size: number; readonly token?: string }
}

const PAGE = {
  type: 'object',
  properties: {
    size: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
    token: { type: 'string', maxLength: 8_000, pattern: continuationTokenPattern.source },
  },
}

/** A REST API over a table: pages with tokens, ETags, and conditional reads and writes. */
export function customerServer(account: Account, logger = false): FastifyInstance {
  const customers = account.table(Customer)
  const server = Fastify({ logger })
  server.addHook('onReady', async () => void (await customers.createIfNotExists()))
  server.addHook('onClose', () => account.close({ drain: true }))

  server.get<PageOfCustomers>(
    '/customers/:country',
    { schema: { querystring: PAGE } },
    ({ params, query: { size, token } }) =>
      customers.query().where({ country: params.country }).page({ size, token }),
  )

  server.post('/customers', async ({ body }, reply) => {
    const customer = await customers.insert(fromPlain(Customer, body))
    const { country, id, etag } = customer
    const path = `/customers/${encodeURIComponent(country)}/${encodeURIComponent(id)}`
    return reply.code(201).headers({ location: path, etag }).send(customer)
  })

  server.get<OneCustomer>('/customers/:country/:id', async ({ params, headers }, reply) => {
    const customer = await customers.get([params.country, params.id])
    reply.header('etag', customer.etag)
    const isCurrent = isKnown(customer.etag, headers['if-none-match'])
    return isCurrent ? reply.code(304).send() : customer
  })

  server.put<OneCustomer>('/customers/:country/:id', async (request, reply) => {
    const etag = request.headers['if-match']
    if (etag === undefined) return reply.code(428).send({ status: 428, title: 'Send If-Match' })
    const customer = fromPlain(Customer, { ...Object(request.body), ...request.params })
    await customers.replace(customer, { etag })
    return reply.header('etag', customer.etag).send(customer)
  })

  server.delete<OneCustomer>('/customers/:country/:id', async ({ params, headers }, reply) => {
    const etag = headers['if-match']
    if (etag === undefined) return reply.code(428).send({ status: 428, title: 'Send If-Match' })
    await customers.delete([params.country, params.id], { etag })
    return reply.code(204).send()
  })

  server.setErrorHandler<FastifyError>((error, request, reply) => {
    if (!isRowkeyError(error)) throw error
    const problem = problemOf(error)
    if (problem.status >= 500) request.log.error(error)
    return reply.code(problem.status).type('application/problem+json').send(problem)
  })
  return server
}
