/**
 * How long do whole jobs take when the service is far away, or has too much to do? Rowkey with its defaults, beside @azure/data-tables with a
 * concurrency that was chosen by hand, and beside a fixed 8. See README.md.
 *
 *     npm --prefix bench run latency -- --rounds 1 --parts latency --jobs getMany --latencies 20   # a quick look
 */
import { parseArgs } from 'node:util'
import { drawCurves } from './latency-picture.mjs'
import { startChild, startService } from './processes.mjs'
import { machine, median, recordTable, row } from './report.mjs'

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    parts: { type: 'string', default: 'latency,shedding' },
    latencies: { type: 'string', default: '5,20,80,200' },
    jobs: { type: 'string', default: 'bulk,inPartitions,getMany' },
    record: { type: 'boolean', default: false },
  },
})
const rounds = Number(options.rounds)
const parts = options.parts.split(',')
const jobs = options.jobs.split(',')

const JOBS = {
  bulk: 'bulk of 10,000 rows, 50 partitions',
  inPartitions: 'inPartitions of 50, 10,000 rows',
  getMany: 'getMany of 1,000 keys',
}
/** Clients and their concurrency; none is the default. */
const OWN = { title: 'rowkey', client: 'rowkey' }
const OWN_8 = { title: 'rowkey, fixed 8', client: 'rowkey', concurrency: 8 }
const FETCH = { title: 'rowkey over fetch', client: 'fetch' }
const OFFICIAL = [8, 32, 50].map((concurrency) => ({
  title: `data-tables, ${concurrency}`,
  client: 'data-tables',
  concurrency,
}))

const service = await startService('latency-service.mjs')
const clients = {}
for (const name of ['rowkey', 'fetch', 'data-tables']) {
  clients[name] = await startChild('latency-worker.mjs', [name, service.endpoint])
}

/** Runs one job with all contenders in turn; the order rotates from round to round. */
async function measure(contenders, job, habits) {
  const samples = contenders.map(() => [])
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < contenders.length; turn++) {
      const at = (turn + round) % contenders.length
      const { client, concurrency } = contenders[at]
      await service.ask(habits)
      const result = await clients[client].ask({ job, concurrency })
      samples[at].push({ ...result, ...(await service.ask({ latency: 0 })) })
    }
  }
  const measured = samples.map((found) => ({
    time: median(found.map(({ time }) => time)),
    cpu: median(found.map(({ cpu }) => cpu)),
    requests: median(found.map(({ served, shed }) => served + shed)),
    shed: median(found.map(({ shed }) => shed)),
    inFlight: Math.max(...found.map(({ mostInFlight }) => mostInFlight)),
    failures: found.filter(({ failure }) => failure !== undefined).length,
  }))
  const told = measured.map(({ time, cpu, requests, inFlight, shed, failures }, at) => {
    const failed = failures > 0 ? `, ${failures} FAILED` : ''
    return `${contenders[at].title}: ${figure(time)} ms, CPU ${figure(cpu)}, ${requests} requests, ${shed} shed, ${inFlight} in flight${failed}`
  })
  console.error(`${job} ${JSON.stringify(habits)}\n  ${told.join('\n  ')}`)
  return measured
}

const figure = (number) => Math.round(number).toLocaleString('en')
const right = (count) => Array.from({ length: count }, () => '--:')

async function measureLatencies() {
  const contenders = [OWN, ...OFFICIAL, FETCH]
  const lines = [
    row(['ms', 'latency', ...contenders.map(({ title }) => title), 'rowkey to the best by hand']),
    row(['---', '--:', ...right(contenders.length + 1)]),
  ]
  const curves = []
  for (const job of jobs) {
    for (const latency of options.latencies.split(',').map(Number)) {
      const found = await measure(contenders, job, { latency })
      const times = found.map(({ time }) => time)
      const ratio = times[0] / Math.min(...times.slice(1, 4))
      lines.push(row([JOBS[job], `${latency} ms`, ...times.map(figure), ratio.toFixed(2)]))
      curves.push({ job: JOBS[job], latency, times: times.slice(0, 4) })
    }
  }
  const titles = contenders.slice(0, 4).map(({ title }) => title)
  if (options.record) drawCurves(titles, curves)
  return lines.join('\n')
}

/** Loads that the service bears, at a latency of 20 ms. */
const LIMITS = [
  ['4 in flight', { most: 4 }],
  ['16 in flight', { most: 16 }],
  ['100 requests a second', { rate: 100 }],
  ['500 requests a second', { rate: 500 }],
]

async function measureShedding() {
  const contenders = [OWN, OWN_8, OFFICIAL[0]]
  const heads = contenders.flatMap(({ title }) => [`${title}: ms`, '503'])
  const lines = [row(['503 above', 'job', ...heads]), row(['---', '---', ...right(heads.length)])]
  for (const [title, habits] of LIMITS) {
    for (const job of jobs) {
      const found = await measure(contenders, job, { latency: 20, ...habits })
      const cells = found.flatMap(({ time, shed, failures }) => [
        failures > 0 ? 'fails' : figure(time),
        figure(shed),
      ])
      lines.push(row([title, JOBS[job], ...cells]))
    }
  }
  return lines.join('\n')
}

try {
  const all = [OWN, FETCH, OFFICIAL[0]]
  for (const job of jobs) await measure(all, job, { latency: 1 }) // warms up
  const tables = []
  if (parts.includes('latency')) tables.push(await measureLatencies())
  if (parts.includes('shedding')) tables.push(await measureShedding())
  const text = `${machine()}, median of ${rounds} rounds\n\n${tables.join('\n\n')}`
  if (options.record) recordTable('record:latency', text)
  console.log(text)
} finally {
  service.stop()
  for (const client of Object.values(clients)) client.stop()
}
