/**
 * A table service in its own process that takes its time: it returns prepared responses after a latency, and may shed load. It
 * stores nothing and checks no signature. It sends its port to the parent process, which sets the latency and the load that it bears.
 */
import { createServer } from 'node:http'
import { changeSetAnswers, entityAnswer, pageAnswers } from './latency-answers.mjs'

/** How the service behaves: milliseconds, the most requests in flight, the most requests in a second. */
let habits = { latency: 0, most: Infinity, rate: Infinity }
let counts
let inFlight = 0
let mostInFlight = 0
/** Requests that the rate allows now. */
let tokens = 0
let refilledAt = 0

function reset(given) {
  habits = { latency: 0, most: Infinity, rate: Infinity, ...given }
  counts = { served: 0, shed: 0 }
  mostInFlight = inFlight
  tokens = habits.rate / 20
  refilledAt = performance.now()
}
reset({})

function sheds() {
  if (inFlight > habits.most) return true
  if (habits.rate === Infinity) return false
  const now = performance.now()
  tokens = Math.min(habits.rate / 20, tokens + ((now - refilledAt) * habits.rate) / 1000)
  refilledAt = now
  if (tokens < 1) return true
  tokens--
  return false
}

const BUSY = JSON.stringify({
  'odata.error': { code: 'ServerBusy', message: { lang: 'en-US', value: 'The server is busy.' } },
})

const server = createServer((request, response) => {
  inFlight++
  mostInFlight = Math.max(mostInFlight, inFlight)
  const isShed = sheds()
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    setTimeout(() => {
      inFlight--
      counts[isShed ? 'shed' : 'served']++
      if (isShed) {
        response.writeHead(503, {
          'Content-Type': 'application/json',
          'Content-Length': BUSY.length,
        })
        response.end(BUSY)
        return
      }
      const { status, headers, body } = answerTo(request, chunks)
      response.writeHead(status, headers)
      response.end(body)
    }, habits.latency)
  })
}).listen(0, '127.0.0.1', () => process.send({ port: server.address().port }))
server.keepAliveTimeout = 60_000

function answerTo({ method, url }, chunks) {
  if (method !== 'GET') return changeSetAnswers(Buffer.concat(chunks).latin1Slice())
  const path = decodeURIComponent(url)
  const key = /PartitionKey='([^']*)',\s?RowKey='([^']*)'/.exec(path)
  if (key !== null) return entityAnswer(key[1], key[2])
  return pageAnswers(/PartitionKey eq '([^']*)'/.exec(path)?.[1])
}

process.on('message', (given) => {
  const { served, shed } = counts
  const result = { served, shed, mostInFlight }
  reset(given)
  process.send(result)
})
process.on('disconnect', () => process.exit())
