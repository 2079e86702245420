/** One client in a worker thread of Node. Its costs are those of the process, whose other threads wait. */
import { parentPort, workerData } from 'node:worker_threads'
import { entities } from './fixture.mjs'
import { repeat } from './repeat.mjs'

const { adapter, endpoint, token, entry } = workerData
const { connect } = await import(entry)
const client = await import(adapter)
await client.init({ endpoint, token, entities, connect })

parentPort.on('message', async ({ cell, count }) => {
  const start = process.cpuUsage()
  try {
    await repeat(client, cell, count)
    const { user, system } = process.cpuUsage(start)
    parentPort.postMessage({ cost: (user + system) / count })
  } catch (error) {
    parentPort.postMessage({ failure: error instanceof Error ? error.stack : String(error) })
  }
})
parentPort.postMessage({ name: client.name })
