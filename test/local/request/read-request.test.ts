import { describe, expect, it } from 'vitest'
import {
  type RequestPlace,
  readRequest,
  withBody,
} from '../../../packages/local/src/request/read-request.ts'

const place: RequestPlace = {
  requestId: 'id-1',
  account: 'contoso',
  grant: { kind: 'key' },
  isSecondary: true,
  origin: 'http://localhost:10002',
  basePath: '/contoso',
}

describe('readRequest', () => {
  it('reads a request', () => {
    const call = readRequest(place, {
      method: 'POST',
      resourcePath: "/people(PartitionKey='a',RowKey='b')",
      query: 'timeout=5',
      headers: { 'x-http-method': 'MERGE' },
      body: '{}',
    })
    expect(call).toMatchObject({
      ...place,
      base: 'http://localhost:10002/contoso',
      method: 'MERGE',
      resource: { kind: 'entity', table: 'people', key: { partitionKey: 'a', rowKey: 'b' } },
      body: '{}',
    })
    expect([...call.query]).toEqual([['timeout', '5']])
  })

  it('R-06: rejects an invalid key', () => {
    const text = { method: 'GET', query: '', headers: {}, body: '' }
    expect(() =>
      readRequest(place, { ...text, resourcePath: "/people(PartitionKey='a%2Fb',RowKey='')" }),
    ).toThrow(expect.objectContaining({ code: 'InvalidInput' }))
  })

  it('rejects an invalid timeout', () => {
    const text = { method: 'POST', resourcePath: '/people', headers: {}, body: '{}' }
    expect(() => readRequest(place, { ...text, query: 'timeout=soon' })).toThrow(
      expect.objectContaining({ status: 400 }),
    )
  })
})

describe('withBody', () => {
  const text = { method: 'POST', resourcePath: '/people', query: '', headers: {}, body: '' }

  it('adds the body to a request that was read without it', () => {
    expect(withBody(readRequest(place, text), '{}')).toMatchObject({ method: 'POST', body: '{}' })
  })

  it('rejects a body that was not announced', () => {
    const request = readRequest(place, {
      ...text,
      headers: { 'content-md5': '1B2M2Y8AsgTpgAmY7PhCfg==' },
    })
    expect(() => withBody(request, '{}')).toThrow(expect.objectContaining({ code: 'Md5Mismatch' }))
  })
})
