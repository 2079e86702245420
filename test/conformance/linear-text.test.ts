import {
  dynamicEntityCodec,
  edmCodecs,
  evaluateFilter,
  parseEntityJson,
  parseEntityObject,
  parseFilter,
  printFilter,
} from '@rowkey/odata'
import { parseConnectionString, parseSasUrl } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { lineDifference } from '../../packages/cli/src/model/line-difference.ts'
import { CsvColumns, withoutFormula } from '../../packages/cli/src/rows/csv-columns.ts'
import { csvLine } from '../../packages/cli/src/rows/csv-line.ts'
import { type FileFormat, readRows } from '../../packages/cli/src/rows/read-rows.ts'
import { parseRowLine, printRowLine } from '../../packages/cli/src/rows/row-line.ts'
import { textLines } from '../../packages/cli/src/rows/text-lines.ts'
import { linesWithoutControls } from '../../packages/cli/src/shell/without-controls.ts'
import { decodeProperties, readMembers } from '../../packages/local/src/entity/decode-properties.ts'
import { StoredEntity } from '../../packages/local/src/entity/stored-entity.ts'
import { selectedNames } from '../../packages/local/src/query/query-options.ts'
import { rowFilter } from '../../packages/local/src/query/row-filter.ts'
import { parseMediaRanges } from '../../packages/local/src/request/content-negotiation.ts'
import { parseQueryParameters } from '../../packages/local/src/request/query-parameters.ts'
import { routeResource } from '../../packages/local/src/request/service-request.ts'
import {
  readBatch,
  readHeaders,
  splitMessage,
  splitParts,
} from '../../packages/local/src/transaction/read-batch.ts'
import { readDocument } from '../../packages/local/src/xml/xml.ts'
import { updateJson } from '../../packages/mapper/src/convert/update-json.ts'
import { decodeChangeSet } from '../../packages/rest/src/transaction/decode-change-set.ts'
import { Session } from '../../packages/studio/src/server/session.ts'
import { casesToPlay } from '../support/cases-to-play.ts'
import { countSteps } from '../support/count-steps.ts'

const many = (count: number, one: (at: number) => string, between = '') =>
  Array.from({ length: count }, (_, at) => one(at)).join(between)

const row = (members: string) => `{"PartitionKey":"a","RowKey":"b",${members}}`

async function* cut(text: string, length = 64): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += length) yield text.slice(at, at + length)
}

const drained = async (rows: AsyncIterable<unknown>): Promise<void> => {
  for await (const _ of rows) {
    // Only the reading counts.
  }
}

const { signal } = new AbortController()
const fileOf = (text: string, format: FileFormat) =>
  drained(readRows({ input: cut(text), signal }, { path: '-', format }))

/** A text that is rejected must not take longer. */
const tried = (work: () => unknown) => async () => {
  try {
    await work()
  } catch {
    // The time until then counts.
  }
}

const CRLF = '\r\n'
const part = `Content-Type: application/http${CRLF}${CRLF}HTTP/1.1 204 No Content${CRLF}ETag: x${CRLF}${CRLF}`
const changeSet = (parts: number) => ({
  status: 202,
  headers: { 'content-type': 'multipart/mixed; boundary=b' },
  body: `--b${CRLF}Content-Type: multipart/mixed; boundary=c${CRLF}${CRLF}${many(parts, () => `--c${CRLF}${part}`)}--c--${CRLF}--b--`,
})

/** Every loop over text from a network, a row or a file: what it does with a text that grows with a number. */
const loops: Readonly<Record<string, (count: number) => () => unknown>> = {
  'the JSON of an entity with whole Doubles': (count) => {
    const text = row(many(count, (at) => `"n${at}":3.0`, ','))
    return () => parseEntityObject(text)
  },
  'the JSON of an entity with annotations': (count) => {
    const text = row(many(count, (at) => `"n${at}@odata.type":"Edm.Double","n${at}":3.0`, ','))
    return () => parseEntityObject(text)
  },
  'JSON of backslashes and quotes': (count) => {
    const text = row(`"t":"${many(count, () => '\\\\\\"')}","n":3.0`)
    return () => parseEntityObject(text)
  },
  'a page of entities': (count) => {
    const text = `{"value":[${many(count, (at) => row(`"n":${at}.0`), ',')}]}`
    return () => parseEntityJson(text)
  },
  'a page of entities with braces in texts': (count) => {
    const text = `{"value":[${many(count, () => row('"t":"{ } {","n":1.0'), ',')}]}`
    return () => parseEntityJson(text)
  },
  'the properties of an entity': (count) => {
    const raw = parseEntityObject(row(many(count, (at) => `"n${at}":"${at}"`, ',')))
    return () => dynamicEntityCodec.write(dynamicEntityCodec.read(raw))
  },
  base64: (count) => {
    const text = 'QUJD'.repeat(count)
    return () => edmCodecs.Binary.readJson(text, 'b')
  },
  'a filter of alternatives': (count) => {
    const text = many(count, (at) => `a eq ${at}`, ' or ')
    return () => printFilter(parseFilter(text)!)
  },
  'a filter of parentheses': (count) => {
    const text = `${'('.repeat(count)}a eq 1${')'.repeat(count)}`
    return tried(() => parseFilter(text))
  },
  'a filter of not': (count) => {
    const text = `${'not ('.repeat(count)}a eq 1${')'.repeat(count)}`
    return tried(() => parseFilter(text))
  },
  'a filter with a text of quotes': (count) => {
    const text = `a eq '${"''".repeat(count)}'`
    return () => parseFilter(text)
  },
  'a filter of blanks': (count) => {
    const text = `a${' '.repeat(count)}eq 1 and${' '.repeat(count)}b eq 2`
    return () => parseFilter(text)
  },
  'a filter over a row': (count) => {
    const filter = parseFilter(many(count, (at) => `a ne ${at}`, ' and '))!
    return () => evaluateFilter(filter, () => ({ type: 'Int32', value: -1 }))
  },
  'a connection string': (count) => {
    const text = `${many(count, (at) => `Name${at}=x`, ';')};UseDevelopmentStorage=true`
    return () => parseConnectionString(text)
  },
  'a URL with a signature': (count) => {
    const text = `https://a.table.core.windows.net/?sv=2019-02-02&sp=r&${many(count, (at) => `x${at}=1`, '&')}&sig=c2VjcmV0`
    return tried(() => parseSasUrl(text))
  },
  'the response to a transaction': (count) => {
    const response = changeSet(count)
    return () => decodeChangeSet(response as never)
  },
  'the body of a transaction': (count) => {
    const { body } = changeSet(count)
    const text = body.replaceAll(CRLF, '\n')
    return () => splitParts(text, 'c').map((one) => readHeaders(splitMessage(one).head))
  },
  'a body of line feeds': (count) => {
    const text = `--c\n${'\n'.repeat(count)}--c--`
    return () => splitParts(text, 'c').map(splitMessage)
  },
  'the parameters of a request': (count) => {
    const text = many(count, (at) => `a${at}=%20`, '&')
    return tried(() => parseQueryParameters(text))
  },
  'the path of a request': (count) => {
    const text = `/people(PartitionKey='${'%27%27'.repeat(count)}',RowKey='b')`
    return tried(() => routeResource(text))
  },
  'the media types of a request': (count) => {
    const text = many(count, () => 'application/json;q=0.5', ', ')
    return tried(() => parseMediaRanges(text))
  },
  'the properties of a request': (count) => {
    const members = parseEntityObject(row(many(count, (at) => `"n${at}":${at}`, ','))) as never
    return tried(() => decodeProperties(members))
  },
  'the body of a request with whole Doubles': (count) => {
    const text = row(many(count, (at) => `"n${at}":3.0`, ','))
    return tried(() => decodeProperties(readMembers(text)))
  },
  'the body of a request with one name twice': (count) => {
    const text = row(`${many(count, (at) => `"n${at}":"\\\\\\\\"`, ',')},"n0":1`)
    return tried(() => readMembers(text))
  },
  'the selected names of a request': (count) => {
    const text = many(count, (at) => `n${at}`, ', ')
    return tried(() => selectedNames(text))
  },
  'a stored row under a filter of its properties': (count) => {
    const members = many(count, (at) => `"n${at}":"x${at}"`, ',')
    const stored = new StoredEntity(
      `"PartitionKey":"a","RowKey":"b","Timestamp":"2026-01-01T00:00:00Z",${members}`,
    )
    const filter = rowFilter(parseFilter(many(count, (at) => `n${at} eq 'y'`, ' or ')), 'storage')
    return () => filter.matches(stored)
  },
  'a stored row under a filter of one property': (count) => {
    const stored = new StoredEntity(
      `"PartitionKey":"a","RowKey":"b","Timestamp":"2026-01-01T00:00:00Z","t":"${'x'.repeat(10 * count)}"`,
    )
    const filter = rowFilter(parseFilter(many(count, (at) => `t eq '${at}'`, ' or ')), 'storage')
    return () => filter.matches(stored)
  },
  'a transaction of many parts': (count) => {
    const one = `--c${CRLF}Content-Type: application/http${CRLF}${CRLF}POST http://a/people HTTP/1.1${CRLF}If-Match: *${CRLF}${CRLF}{}${CRLF}`
    const body = `--b${CRLF}Content-Type: multipart/mixed; boundary=c${CRLF}${CRLF}${many(count, () => one)}--c--${CRLF}--b--`
    const headers = { 'content-type': 'multipart/mixed; boundary=b' }
    return () => readBatch({ headers, body, basePath: '', account: 'a' } as never)
  },
  'the header of a part that is given many times': (count) => {
    const text = many(count, (at) => `If-Match: ${at}`, CRLF)
    return () => readHeaders(text)
  },
  'the XML of a request': (count) => {
    const text = `<a>${many(count, () => '<b x="&amp;">&lt;</b>')}</a>`
    return tried(() => readDocument(text))
  },
  'JSON in a property': (count) => {
    const text = `[${many(count, (at) => `{"a":${at},"b":12345678901234567890}`, ',')}]`
    const base = JSON.parse(text) as object[]
    return tried(() => updateJson(text, { base, value: [...base.slice(0, -1), {}] }))
  },
  'a line of large numbers': (count) => {
    const text = row(many(count, (at) => `"n${at}":9007199254740992`, ','))
    return () => parseRowLine(text, 'here')
  },
  'a line of names': (count) => {
    const text = row(many(count, (at) => `"n${at}"   :1`, ',   '))
    return () => parseRowLine(text, 'here')
  },
  'a line in many chunks': (count) => {
    const text = 'x'.repeat(64 * count)
    return () => drained(textLines(cut(text), 'file'))
  },
  'lines of NDJSON': (count) => {
    const text = many(count, () => `${row('"n":1')}\n`)
    return () => fileOf(text, 'ndjson')
  },
  'an array of JSON': (count) => {
    const text = `[${many(count, () => row('"t":"{ [ \\" } ]"'), ',\n')}]`
    return () => fileOf(text, 'json')
  },
  'one object of JSON in many chunks': (count) => {
    const text = `[${row(many(count, (at) => `"n${at}":"{"`, ','))}]`
    return () => fileOf(text, 'json')
  },
  'lines of CSV': (count) => {
    const text = `PartitionKey,RowKey,n\n${many(count, (at) => `a,${at},"x"\n`)}`
    return () => fileOf(text, 'csv')
  },
  'columns of CSV': (count) => {
    const names = many(count, (at) => `n${at}`, ',')
    const text = `PartitionKey,RowKey,${names}\n${many(9, () => `a,b,${'x,'.repeat(count - 1)}x\n`)}`
    return () => fileOf(text, 'csv')
  },
  'a quoted cell of CSV': (count) => {
    const text = `PartitionKey,RowKey,n\na,b,"${'x\n""'.repeat(count)}"\n`
    return () => fileOf(text, 'csv')
  },
  'columns that are written as CSV': (count) => {
    const { row: wide } = parseRowLine(row(many(count, (at) => `"n${at}":"=1"`, ',')), 'here')
    return () => {
      const columns = new CsvColumns('csv', withoutFormula)
      columns.add(wide)
      csvLine(columns.cellsOf(wide))
      printRowLine(wide)
    }
  },
  'text on a terminal': (count) => () => linesWithoutControls('a\u001b\n'.repeat(count)),
  'the lines of two models': (count) => {
    const lines = Array.from({ length: count }, (_, at) => `${at}`)
    const others = lines.map((line) => `${line} `)
    return () => lineDifference(lines, others)
  },
  cookies: (count) => {
    const session = new Session({ port: 1, url: new URL('http://127.0.0.1:1/') }, () => 'x')
    const text = many(count, (at) => `a${at}=1`, '; ')
    return () => session.isOpen(text)
  },
}

describe('twice the text', () => {
  it.each(casesToPlay(Object.entries(loops)))(
    'takes at most about twice the steps for %s',
    async (_, loop) => {
      await countSteps(loop(10)) // what is made once
      const growth = async (): Promise<number> => {
        const once = await countSteps(loop(1_000))
        expect(once).toBeGreaterThan(500)
        return (await countSteps(loop(2_000))) / once
      }
      // Another test of the process may still do something, which counts as well: then it is counted again.
      const first = await growth()
      expect(first < 2.3 ? first : await growth()).toBeLessThan(2.3)
    },
  )
})

it('counts the steps of a loop that is not linear', async () => {
  const slow = (count: number) => () => {
    let rest = ''
    for (let at = 0; at < count; at++) rest = `${rest}x`.split('\n').pop() ?? ''
  }
  const once = await countSteps(slow(100))
  expect((await countSteps(slow(200))) / once).toBeGreaterThan(3)
})
