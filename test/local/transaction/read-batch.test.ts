import { describe, expect, it } from 'vitest'
import { readRequest } from '../../../packages/local/src/request/read-request.ts'
import {
  boundaryOf,
  readBatch,
  readHeaders,
  splitMessage,
  splitParts,
} from '../../../packages/local/src/transaction/read-batch.ts'
import { changeSetOf, queryOf } from '../../support/local-conversation.ts'
import { place as keyPlace } from '../../support/local-place.ts'

const place = {
  ...keyPlace,
  origin: 'http://127.0.0.1:10002',
  basePath: '/contoso',
}
const read = (body: string, contentType = 'multipart/mixed; boundary=batch_1') =>
  readBatch(
    readRequest(place, {
      method: 'POST',
      resourcePath: '/$batch',
      query: '',
      headers: { 'content-type': contentType },
      body,
    }),
  )
const readOne = (requestLine: string, head = 'Content-Type: application/http') => {
  const body = `--batch_1\nContent-Type: multipart/mixed; boundary="c"\n\n--c\n${head}\n\n${requestLine}\nIf-Match: *\n\n--c--\n--batch_1--`
  const batch = read(body)
  return batch.kind === 'change set' ? batch.parts[0] : undefined
}

describe('readBatch', () => {
  it('reads the parts of a change set', () => {
    const { body } = changeSetOf(
      { method: 'POST', target: '/people', headers: { Accept: 'a' }, body: { a: 'é' } },
      { method: 'delete', target: "/people(PartitionKey='a',RowKey='b')?x=y" },
    )
    expect(read(body as string)).toEqual({
      kind: 'change set',
      parts: [
        {
          method: 'POST',
          resourcePath: '/people',
          query: '',
          headers: { accept: 'a', 'content-type': 'application/json' },
          body: '{"a":"é"}',
        },
        {
          method: 'DELETE',
          resourcePath: "/people(PartitionKey='a',RowKey='b')",
          query: 'x=y',
          headers: {
            accept: 'application/json;odata=minimalmetadata',
            'content-type': 'application/json',
          },
          body: '',
        },
      ],
    })
  })

  it('reads the headers of each part, shared or not', () => {
    const target = "/people(PartitionKey='a',RowKey='b')"
    const headersOf = (etag: string) => ({ method: 'PUT', target, headers: { 'If-Match': etag } })
    const { body } = changeSetOf(headersOf('W/"1"'), headersOf('W/"2"'), headersOf('W/"1"'))
    expect(read(body as string)).toMatchObject({
      parts: ['W/"1"', 'W/"2"', 'W/"1"'].map((etag) => ({ headers: { 'if-match': etag } })),
    })
  })

  it('reads a single query', () => {
    const { body } = queryOf({ method: 'GET', target: "/people(PartitionKey='',RowKey='')" })
    expect(read(body as string)).toMatchObject({ kind: 'query', part: { method: 'GET' } })
  })

  it.each([
    'PUT https://contoso.table.core.windows.net/contoso/people HTTP/1.1',
    'PUT http://localhost/people HTTP/1.1',
    'PUT /contoso/people HTTP/1.1',
    'PUT /people HTTP/1.1',
    'PUT people HTTP/1.1',
  ])('finds the resource in "%s"', (requestLine) => {
    expect(readOne(requestLine)).toMatchObject({
      method: 'PUT',
      resourcePath: '/people',
      headers: { 'if-match': '*' },
    })
  })

  it.each([
    "PUT /people(PartitionKey='p', RowKey='b  l') HTTP/1.1",
    "PUT  /people(PartitionKey='p', RowKey='b  l')  HTTP/1.1",
  ])('keeps the blanks in the address of "%s"', (requestLine) => {
    expect(readOne(requestLine)).toMatchObject({
      method: 'PUT',
      resourcePath: "/people(PartitionKey='p', RowKey='b  l')",
    })
  })

  it.each([
    'PUT',
    'PUT ',
    '{"a":1}',
    '/people PUT HTTP/1.1',
    'PUT /people',
    'PUT  HTTP/1.1',
    'PUT /people HTTP/1.1.1',
    "PUT /people(PartitionKey='p', RowKey='b  l')",
  ])('rejects the request line "%s"', (requestLine) => {
    expect(() => readOne(requestLine)).toThrow(expect.objectContaining({ code: 'InvalidInput' }))
  })

  it.each(['application/http; msgtype=request', 'APPLICATION/HTTP'])(
    'accepts a part of the type %s',
    (type) => {
      expect(readOne('PUT /people HTTP/1.1', `Content-Type: ${type}`)?.method).toBe('PUT')
    },
  )

  it.each(['Content-Type: application/https', 'Content-Type: application/json', 'X: y'])(
    'rejects a part with the header %s',
    (head) => {
      expect(() => readOne('PUT /people HTTP/1.1', head)).toThrow(
        expect.objectContaining({ code: 'InvalidInput' }),
      )
    },
  )

  const part = 'Content-Type: application/http\n\nGET /people HTTP/1.1\n\n'
  it.each([
    ['', undefined],
    ['--batch_1--', undefined],
    ['--batch_1\n\n--batch_1--', undefined],
    [`--batch_1\n${part}--batch_1\n${part}--batch_1--`, undefined],
    [`--batch_1\n${part}--batch_1--`, 'application/json'],
    [`--batch_1\n${part.replace('GET', 'PUT')}--batch_1--`, undefined],
    ['--batch_1\nnonsense\n\n--batch_1--', undefined],
    ['--batch_1\nContent-Type: multipart/mixed; boundary=c\n\n--c\n--batch_1--', undefined],
  ])('rejects the batch %j', (body, contentType) => {
    expect(() => read(body, contentType)).toThrow(
      expect.objectContaining({ status: 400, code: 'InvalidInput' }),
    )
  })
})

const invalid = expect.objectContaining({ status: 400, code: 'InvalidInput' })

describe('boundaryOf', () => {
  it.each([
    ['multipart/mixed; boundary=batch_1', 'batch_1'],
    ['Multipart/Mixed;charset=utf-8;BOUNDARY="a b;c"; x=y', 'a b;c'],
    ['multipart/mixed; boundary=a;b=c', 'a'],
    ['multipart/mixed', undefined],
    ['multipart/form-data; boundary=a', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('reads %s', (contentType, boundary) => {
    expect(boundaryOf(contentType)).toBe(boundary)
  })

  it('rejects a boundary that MIME does not allow, and whose search would not end', () => {
    const longest = 'b'.repeat(70)
    expect(boundaryOf(`multipart/mixed; boundary=${longest}`)).toBe(longest)
    expect(() => boundaryOf(`multipart/mixed; boundary=${longest}b`)).toThrow(invalid)
    expect(() => boundaryOf(`multipart/mixed; boundary="${longest}b"`)).toThrow(invalid)
  })
})

describe('splitParts', () => {
  it('returns the text between the delimiter lines', () => {
    const text = 'before\r\n--b\r\none\r\n--b\r\ntwo\r\nlines\r\n--b--\r\nafter'
    expect(splitParts(text, 'b')).toEqual(['one', 'two\r\nlines'])
  })

  it('accepts LF, blanks after a delimiter, and an end without a line end', () => {
    expect(splitParts('\n\n--b \none\n--b\t\ntwo\n--b--', 'b')).toEqual(['one', 'two'])
  })

  it('ignores a boundary that begins like another, or is inside a line', () => {
    const text = '--b\r\n--b1\r\nx --b\r\n--b-\r\n--b--\r\n'
    expect(splitParts(text, 'b')).toEqual(['--b1\r\nx --b\r\n--b-'])
  })

  it('returns empty parts, and no parts', () => {
    expect(splitParts('--b\r\n\r\n--b--', 'b')).toEqual([''])
    expect(splitParts('--b--', 'b')).toEqual([])
  })

  it.each(['', 'text', '--b', '--b\r\none', '--b\r\none\r\n--b'])('rejects %j', (text) => {
    expect(() => splitParts(text, 'b')).toThrow(invalid)
  })
})

describe('splitMessage', () => {
  it('splits at the first blank line after the head', () => {
    expect(splitMessage('\r\n\r\na: b\r\nc: d\r\n\r\nbody\r\n\r\nmore')).toEqual({
      head: 'a: b\r\nc: d\r',
      body: 'body\r\n\r\nmore',
    })
  })

  it('accepts a line of blanks as a blank line, before the head and after it', () => {
    expect(splitMessage(' \t\n\na: b\n \r\nbody')).toEqual({ head: 'a: b', body: 'body' })
  })

  it('is only a head without a blank line', () => {
    expect(splitMessage('a: b')).toEqual({ head: 'a: b', body: '' })
    expect(splitMessage('')).toEqual({ head: '', body: '' })
  })
})

describe('readHeaders', () => {
  it('reads names in any case, and values without blanks around them', () => {
    expect({ ...readHeaders('If-Match:  W/"a:b" \r\nX:\r') }).toEqual({
      'if-match': 'W/"a:b"',
      x: '',
    })
    expect(readHeaders('').constructor).toBeUndefined()
  })

  it('joins two headers of one name to a list, and keeps the first of two types', () => {
    const text = 'If-Match: "a"\r\ncontent-type: x\r\nif-match: *\r\nContent-Type: y'
    expect({ ...readHeaders(text) }).toEqual({ 'if-match': '"a", *', 'content-type': 'x' })
  })

  it.each(['nothing', ': value', 'a: b\n'])('rejects the line %j', (line) => {
    expect(() => readHeaders(line)).toThrow(invalid)
  })
})
