/**
 * An outbox: each order is shipped after it was stored, although the worker is killed in the middle.
 *
 *     npx tsx --tsconfig examples/tsconfig.json examples/17-outbox/main.ts
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { startLocalService } from '@rowkey/local'
import { openShop } from './shop.ts'

const [, file = '', name] = process.argv
// Each worker is a process of its own.
if (name === 'first' || name === 'second') await ship(name)
else await sell()

/** Ships orders until the process ends. The first worker never gets past order 2. */
async function ship(worker: 'first' | 'second'): Promise<void> {
  const { work } = openShop(async ({ order }) => {
    process.send?.(`${worker === 'first' && order === 2 ? 'begins' : 'shipped'} order ${order}`)
    if (worker === 'first' && order === 2) await new Promise(() => {})
  })
  await work.run(new AbortController().signal)
}

async function sell(): Promise<void> {
  const { TABLES } = process.env
  const service = TABLES === undefined ? await startLocalService({ port: 0 }) : undefined
  process.env.TABLES = TABLES ?? service?.connectionString
  process.env.SUFFIX = `${Date.now()}` // new tables, so that your own stay untouched
  const { account, orders, queues, outbox } = openShop(async () => {})
  await orders.create()
  await account.createTable(queues)
  for (const no of [1, 2, 3]) await orders.insert({ customer: 'jones', no })
  console.log('The shop stored orders 1, 2 and 3')

  const first = fork(file, ['first'])
  console.log('The first worker', await told(first))
  console.log('The first worker', await told(first))
  first.kill('SIGKILL')
  console.log('The first worker was killed')

  const second = fork(file, ['second'])
  console.log('The second worker', await told(second))
  console.log('The second worker', await told(second))
  while ((await outbox.pending({ customer: 'jones' })).length > 0); // the last one is being deleted
  console.log('No message waits')
  second.kill()
  await account.close()
  await service?.close()
}

/** Waits for what a worker tells. */
async function told(worker: ChildProcess): Promise<string> {
  const [message] = await once(worker, 'message')
  return String(message)
}
