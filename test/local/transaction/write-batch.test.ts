import { STATUS_CODES } from 'node:http'
import { describe, expect, it } from 'vitest'
import { REJECTION_TEXTS } from '../../../packages/local/src/rejection/rejection.ts'
import {
  REASONS,
  writeChangeSetResponse,
  writeQueryResponse,
} from '../../../packages/local/src/transaction/write-batch.ts'

const ids = () => {
  let count = 0
  return () => `id${++count}`
}

describe('writeChangeSetResponse', () => {
  it('writes parts as the service was recorded to', () => {
    const parts = [
      { response: { status: 204, headers: { etag: 'W/"a"' }, body: '' }, request: undefined },
      {
        response: {
          status: 204,
          headers: { location: 'l', dataserviceid: 'd', 'preference-applied': 'p' },
          body: '',
        },
        request: undefined,
      },
    ]
    expect(writeChangeSetResponse(parts, ids())).toEqual({
      status: 202,
      headers: { 'content-type': 'multipart/mixed; boundary=batchresponse_id2' },
      body: [
        '--batchresponse_id2',
        'Content-Type: multipart/mixed; boundary=changesetresponse_id1',
        '',
        '--changesetresponse_id1',
        'Content-Type: application/http',
        'Content-Transfer-Encoding: binary',
        '',
        'HTTP/1.1 204 No Content',
        'X-Content-Type-Options: nosniff',
        'Cache-Control: no-cache',
        'DataServiceVersion: 1.0;',
        'ETag: W/"a"',
        '',
        '',
        '--changesetresponse_id1',
        'Content-Type: application/http',
        'Content-Transfer-Encoding: binary',
        '',
        'HTTP/1.1 204 No Content',
        'X-Content-Type-Options: nosniff',
        'Cache-Control: no-cache',
        'Preference-Applied: p',
        'DataServiceVersion: 3.0;',
        'Location: l',
        'DataServiceId: d',
        '',
        '',
        '--changesetresponse_id1--',
        '--batchresponse_id2--',
        '',
      ].join('\r\n'),
    })
  })
})

describe('writeQueryResponse', () => {
  it('writes the part without a change set', () => {
    const part = { response: { status: 200, headers: {}, body: '{}' }, request: undefined }
    expect(writeQueryResponse(part, ids()).body).toBe(
      [
        '--batchresponse_id1',
        'Content-Type: application/http',
        'Content-Transfer-Encoding: binary',
        '',
        'HTTP/1.1 200 OK',
        'X-Content-Type-Options: nosniff',
        'Cache-Control: no-cache',
        'DataServiceVersion: 3.0;',
        '',
        '{}',
        '--batchresponse_id1--',
        '',
      ].join('\r\n'),
    )
  })
})

it('every status of a rejection has the reason phrase of HTTP', () => {
  const statuses = Object.values(REJECTION_TEXTS).map(([status]) => status)
  for (const status of [200, 201, 204, ...statuses])
    expect(REASONS[status]).toBe(STATUS_CODES[status])
})
