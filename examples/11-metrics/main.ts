/**
 * A key with a percent sign, for services that decode a path twice and read `Metric%` for `Metric%25`. Each
 * operation on this key goes in a batch of its own, where the service decodes it once.
 *
 *     npx tsx --tsconfig examples/tsconfig.json examples/11-metrics/main.ts
 */
import { connect } from 'rowkey'
import { Metric } from './metric.ts'

const sent: string[] = []
const account = connect(process.env.TABLES ?? 'memory:', {
  percentKeys: 'batch',
  onAttempt: ({ method, url }) => {
    sent.push(`${method} ${new URL(url).pathname.split('/').at(-1)}`)
  },
})
// A new name, so that your own tables stay untouched.
const metrics = account.table(Metric, `metrics${Date.now()}`)
await metrics.create()
await metrics.insert(Object.assign(new Metric(), { name: 'Metric%25', kind: 'Count', value: 7 }))

sent.length = 0
const metric = await metrics.get(['Metric%25', 'Count'])
console.log(`Read ${metric.name}: ${metric.value} (${sent})`)

sent.length = 0
metric.value = 100
await metrics.merge(metric)
console.log(`Updated in a batch of one (${sent})`)

const { value } = await metrics.get(['Metric%25', 'Count'])
console.log(`Read again: ${value}`)

await metrics.drop()
await account.close()
