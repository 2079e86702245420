import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { HttpResponse } from '@rowkey/rest'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  decodeChangeSet,
  LineReader,
} from '../../../packages/rest/src/transaction/decode-change-set.ts'
import {
  cosmosMixedLines,
  echoedInsert,
  fourthExists,
  loneRead,
  loneReadOfAzurite,
  loneReadOfNothing,
  noChanges,
  threeChanges,
} from '../../vectors/batch-responses.ts'

const unknown = expect.objectContaining({ code: 'UnexpectedResponse', mayHaveApplied: true })

describe('decodeChangeSet', () => {
  it.each(['HTTP/1.1 2040', 'HTTP/1.1 204x', 'HTTP/1.1 2e2 OK'])(
    'reads no status from %s',
    (line) => {
      const body = threeChanges.body.replace('HTTP/1.1 204 No Content', line)
      expect(body).toContain(line)
      expect(() => decodeChangeSet({ ...threeChanges, body })).toThrow(unknown)
    },
  )

  it('reads the parts that Azure sends, in order', () => {
    const parts = decodeChangeSet(threeChanges)
    expect(parts.map(({ status }) => status)).toEqual([204, 204, 204])
    expect(parts.map(({ body }) => body)).toEqual(['', '', ''])
    expect(parts.map(({ headers }) => headers.etag)).toEqual([
      `W/"datetime'2017-11-10T02%3A43%3A36.2754988Z'"`,
      undefined,
      `W/"datetime'2017-11-10T02%3A43%3A36.0846584Z'"`,
    ])
  })

  it('keeps only headers that tell something about the outcome', () => {
    expect(decodeChangeSet(threeChanges).map(({ headers }) => Object.keys(headers))).toEqual([
      ['etag'],
      [],
      ['etag'],
    ])
    const [part] = decodeChangeSet(loneRead)
    expect(Object.keys(part?.headers ?? {}).sort()).toEqual(['content-type', 'etag'])
  })

  it('reads the one part of a failure', () => {
    const [part, ...others] = decodeChangeSet(fourthExists)
    expect(others).toEqual([])
    expect(part?.status).toBe(409)
    expect(JSON.parse(part?.body ?? '')).toHaveProperty(['odata.error', 'code'])
  })

  it('reads the failure of a whole transaction, before whose status Azurite repeats the boundary', () => {
    const status = 'HTTP/1.1 409 '
    const body = fourthExists.body.replace(status, `changesetresponse_1\r\n${status}`)
    expect(body).toContain(`_1\r\n${status}`)
    expect(decodeChangeSet({ ...fourthExists, body })).toEqual(decodeChangeSet(fourthExists))
  })

  it('reads LF and CRLF, as Cosmos DB mixes them', () => {
    const [part] = decodeChangeSet(cosmosMixedLines)
    expect(part).toMatchObject({ status: 409, headers: { 'content-type': /json/ } } as never)
  })

  it('reads LF throughout, a quoted boundary and a missing last line break', () => {
    const quoted: HttpResponse = {
      status: 202,
      headers: {
        'content-type':
          'Multipart/Mixed; Boundary="batchresponse_ea4da9f8-532d-455e-9309-28a0cd6614c3"; x=y',
      },
      body: threeChanges.body.replaceAll('\r\n', '\n').trimEnd(),
    }
    expect(decodeChangeSet(quoted)).toEqual(decodeChangeSet(threeChanges))
  })

  it('reads an entity whose text looks like a separator', () => {
    const [part, ...others] = decodeChangeSet(echoedInsert)
    expect(others).toEqual([])
    expect(JSON.parse(part?.body ?? '').note).toContain('\r\n--changesetresponse_')
  })

  it.each([
    ['Azure', loneRead],
    ['Azurite', loneReadOfAzurite],
  ])('R-54: reads the response to a single read, as %s sends it', (_, response) => {
    const [part, ...others] = decodeChangeSet(response)
    expect(others).toEqual([])
    expect(part?.headers.etag).toBe(`W/"datetime'2017-11-10T02%3A43%3A36.2754988Z'"`)
    expect(JSON.parse(part?.body ?? '')).toEqual({ PartitionKey: 'Smith', RowKey: '10%' })
  })

  it('R-54: reads that a single read found nothing', () => {
    expect(decodeChangeSet(loneReadOfNothing)).toMatchObject([{ status: 404 }])
  })

  it('returns an ETag that does not keep the whole response in memory', () => {
    setFlagsFromString('--expose-gc')
    const collect: () => void = runInNewContext('gc')
    const etags: unknown[] = []
    const kept = (): number => {
      collect()
      return process.memoryUsage().heapUsed
    }
    const before = kept()
    for (let index = 0; index < 100; index++) {
      const padding = `${index}`.padEnd(100_000)
      const body = Buffer.from(threeChanges.body.replace('Content-ID: 1', `X-Padding: ${padding}`))
      etags.push(decodeChangeSet({ ...threeChanges, body: body.toString() })[0]?.headers.etag)
    }
    expect(kept() - before).toBeLessThan(5_000_000)
    expect(etags).toHaveLength(100)
  })

  it('reads an empty change set', () => {
    expect(decodeChangeSet(noChanges)).toEqual([])
  })

  it('says that the outcome is unknown wherever the response breaks off', () => {
    const end = threeChanges.body.indexOf(
      '--changesetresponse_7cff44c4-6a6e-4be9-840a-bf726d93f891--',
    )
    fc.assert(
      fc.property(fc.nat(end), (length) => {
        const body = threeChanges.body.slice(0, length)
        expect(() => decodeChangeSet({ ...threeChanges, body })).toThrow(unknown)
      }),
    )
  })

  it.each([
    ['an empty body', { body: '' }],
    ['another content', { headers: { 'content-type': 'text/html' }, body: '<html>' }],
    ['no content type', { headers: {} }],
    ['another boundary', { headers: { 'content-type': 'multipart/mixed; boundary=other' } }],
    ['a status below 200', { body: threeChanges.body.replaceAll('HTTP/1.1 204', 'HTTP/1.1 100') }],
    ['no status', { body: threeChanges.body.replaceAll('HTTP/1.1 204', 'HTTP/1.1 abc') }],
    [
      'no inner boundary',
      { body: threeChanges.body.replace('multipart/mixed', 'x').replace('boundary', 'x') },
    ],
  ])('says that the outcome is unknown on %s', (_, change) => {
    expect(() => decodeChangeSet({ ...threeChanges, ...change })).toThrow(unknown)
  })
})

function linesOf(text: string): string[] {
  const reader = new LineReader(text)
  const lines: string[] = []
  for (let line = reader.next(); line !== undefined; line = reader.next()) lines.push(line)
  return lines
}

describe('LineReader', () => {
  it('reads lines with CRLF and LF, and the last line without a line break', () => {
    expect(linesOf('a\r\n\r\nb\n\nc')).toEqual(['a', '', 'b', '', 'c'])
  })

  it('reads back any joined lines', () => {
    const line = fc.string().map((text) => text.replace(/[\r\n]/g, ''))
    fc.assert(
      fc.property(fc.array(line), fc.constantFrom('\n', '\r\n'), (lines, end) => {
        expect(linesOf(lines.map((text) => text + end).join(''))).toEqual(lines)
      }),
    )
  })

  it('skips to a line that starts with a text, and not into a line', () => {
    const reader = new LineReader('x --a\n--a 1\r\n--b\n--a 2')
    expect(reader.skipTo('--a')).toBe(6)
    expect(reader.next()).toBe('--a 1')
    expect(reader.skipTo('--a')).toBe(17)
    expect(reader.next()).toBe('--a 2')
    expect(reader.skipTo('--a')).toBeUndefined()
  })

  it('stays on a line that already starts with the text', () => {
    const reader = new LineReader('--a\n--a')
    expect(reader.skipTo('--a')).toBe(0)
    reader.next()
    expect(reader.skipTo('--a')).toBe(4)
    expect(reader.position).toBe(4)
  })
})

it('R-177: keeps how long a throttled part asks to wait', () => {
  const lines = [
    '--a',
    'Content-Type: multipart/mixed; boundary=b',
    '',
    '--b',
    'Content-Type: application/http',
    '',
    'HTTP/1.1 429 Too Many Requests',
    'x-ms-retry-after-ms: 900',
    '',
    '{"odata.error":{"code":"429"}}',
    '--b--',
    '--a--',
    '',
  ]
  const headers = { 'content-type': 'multipart/mixed; boundary=a' }
  const [part] = decodeChangeSet({ status: 202, headers, body: lines.join('\r\n') })
  expect(part).toMatchObject({ status: 429, headers: { 'x-ms-retry-after-ms': '900' } })
})
