/**
 * One client in its own process. The parent sends jobs; each result has the CPU of that job only:
 * user and system time of all threads, including garbage collection and compilation.
 */
import { ACCOUNT, entities, KEY } from './fixture.mjs'
import { repeat } from './repeat.mjs'
import { sample } from './sampler.mjs'
import { verify } from './verify.mjs'

const [adapterPath, endpoint] = process.argv.slice(2)
const client = await import(adapterPath)
await client.init({ endpoint, account: ACCOUNT, key: KEY, entities })

/** CPU microseconds of one operation. */
async function costOf(cell, count) {
  const start = process.cpuUsage()
  await repeat(client, cell, count)
  const { user, system } = process.cpuUsage(start)
  return (user + system) / count
}

const jobs = {
  verify: async () => ({ faults: await verify(client) }),

  /** Continues in growing rounds until the job has used this much CPU. */
  async warm({ cell, milliseconds }) {
    let spent = 0
    let cost = 0
    let count = cell.concurrency
    while (spent < milliseconds * 1000) {
      cost = await costOf(cell, count)
      spent += cost * count
      const quarter = Math.ceil((milliseconds * 250) / cost)
      count = Math.min(Math.max(cell.concurrency, quarter), 20_000)
    }
    return { cost }
  },

  async measure({ cell, count }) {
    // Opens idle sockets again before the measurement; they may have closed while other clients ran.
    await repeat(client, cell, Math.min(cell.concurrency * 2, Math.ceil(count / 4)))
    return { cost: await costOf(cell, count) }
  },

  async profile({ cell, count }) {
    await repeat(client, cell, cell.concurrency * 2)
    let cost
    const samples = await sample(async () => {
      cost = await costOf(cell, count)
    })
    return { cost, ...samples }
  },
}

process.on('message', async ({ id, job, ...input }) => {
  try {
    process.send({ id, ...(await jobs[job](input)) })
  } catch (error) {
    process.send({ id, failure: error instanceof Error ? error.stack : String(error) })
  }
})
process.on('disconnect', () => process.exit())
process.send({ name: client.name })
