/** A table of any number of rows, made on request: 50 partitions of equal size, in pages of 1,000. It accepts every write. */
import { createServer } from 'node:http'
import { changeSetAnswers, membersAt, PARTITIONS } from './latency-answers.mjs'

const count = Number(process.argv[2])
const perPartition = Math.ceil(count / PARTITIONS)
const PAGE = 1_000

/** The rows of a scan, or of one partition, from a place on. */
function page(url) {
  const query = new URL(url, 'http://localhost').searchParams
  const partition = /PartitionKey eq 'p(\d+)'/.exec(query.get('$filter') ?? '')?.[1]
  const [from, to] =
    partition === undefined
      ? [0, perPartition * PARTITIONS]
      : [Number(partition) * perPartition, (Number(partition) + 1) * perPartition]
  const at = Number(query.get('NextRowKey') ?? from)
  const end = Math.min(at + PAGE, to)
  const rows = []
  for (let n = at; n < end; n++) {
    const key = `p${String(Math.floor(n / perPartition)).padStart(3, '0')}`
    rows.push(`{${membersAt(key, `row-${String(n).padStart(8, '0')}`, n)}}`)
  }
  const next =
    end < to
      ? { 'x-ms-continuation-NextPartitionKey': 'p', 'x-ms-continuation-NextRowKey': String(end) }
      : {}
  return {
    status: 200,
    headers: { 'Content-Type': 'application/json;odata=minimalmetadata', ...next },
    body: `{"odata.metadata":"$metadata#rows","value":[${rows.join(',')}]}`,
  }
}

createServer((request, response) => {
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    const { status, headers, body } =
      request.method === 'GET'
        ? page(request.url)
        : changeSetAnswers(Buffer.concat(chunks).latin1Slice())
    response.writeHead(status, headers)
    response.end(body)
  })
}).listen(0, '127.0.0.1', function () {
  process.send({ port: this.address().port })
})
process.on('disconnect', () => process.exit())
