import { Hono } from 'hono'
import { etag } from 'hono/etag'
import { HTTPException } from 'hono/http-exception'
import { type Account, fromPlain } from 'rowkey'
import { connect } from 'rowkey/fetch'
import { Customer } from '../shared/customer.ts'
import { problemOf } from '../shared/problem-of.ts'

interface Environment {
  /** Bindings of the worker. `TABLES` is a secret: a connection string. */
  readonly Bindings: { readonly TABLES: string }
  readonly Variables: { readonly account: Account }
}

const app = new Hono<Environment>()

// A worker must not use the I/O of one request in another one. Opening an account sends nothing.
app.use(async (context, next) => {
  await using account = connect(context.env.TABLES, { runsOnServer: true })
  context.set('account', account)
  await next()
})

// Compares If-None-Match with the ETag that a route sets.
app.get('/customers/:country/:id', etag(), async (context) => {
  const { country, id } = context.req.param()
  const customer = await context.var.account.table(Customer).get([country, id])
  return context.json(customer, 200, { etag: customer.etag ?? '' })
})

app.put('/customers/:country/:id', async (context) => {
  const condition = context.req.header('if-match')
  if (condition === undefined) return context.json({ status: 428, title: 'Send If-Match' }, 428)
  const customer = fromPlain(Customer, { ...(await context.req.json()), ...context.req.param() })
  await context.var.account.table(Customer).replace(customer, { etag: condition })
  return context.json(customer, 200, { etag: customer.etag ?? '' })
})

app.post('/customers', async (context) => {
  const customers = context.var.account.table(Customer)
  const customer = await customers.insert(fromPlain(Customer, await context.req.json()))
  return context.json(customer, 201, { etag: customer.etag ?? '' })
})

app.onError((error, context) => {
  if (error instanceof HTTPException) return error.getResponse()
  const problem = problemOf(error)
  if (problem.status >= 500) console.error(error)
  return context.json(problem, problem.status)
})

export default app
