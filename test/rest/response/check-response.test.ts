import {
  deleteEntity,
  findEntity,
  getEntity,
  insertEntity,
  type OperationTraits,
} from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { checkResponse } from '../../../packages/rest/src/response/check-response.ts'
import { contoso, etag, jeff, read, write } from '../people.ts'

const responseOf = (status: number, headers = {}) => ({ status, headers, body: '' })
const missing = { status: 404, headers: {}, body: '{"odata.error":{"code":"ResourceNotFound"}}' }

/** What the check throws; `undefined` when the operation can read the response. */
async function errorOf(
  operation: OperationTraits,
  response: ReturnType<typeof responseOf>,
  { request = read, strict = false } = {},
): Promise<unknown> {
  const attempt = { request, input: jeff, endpoint: contoso, strict, now: () => 0 }
  try {
    return await checkResponse(operation, response, attempt)
  } catch (error) {
    return error
  }
}

describe('checkResponse', () => {
  it.each([
    [insertEntity, write, 201],
    [insertEntity, write, 204],
    [deleteEntity, write, 204],
    [getEntity, read, 200],
  ])('accepts a success of the service', async (operation, request, status) => {
    expect(await errorOf(operation, responseOf(status, { etag }), { request })).toBeUndefined()
  })

  it('accepts an error that the operation expects, unless the attempt is strict', async () => {
    const refused = { code: 'ResourceNotFound' }
    expect(await errorOf(findEntity, missing)).toBeUndefined()
    expect(await errorOf(findEntity, missing, { strict: true })).toMatchObject(refused)
    expect(await errorOf(getEntity, missing)).toMatchObject(refused)
  })

  const page = '<!DOCTYPE html>\r\n<html><head><title>Blocked</title></head><body>…</body></html>'

  it.each([
    [403, { 'content-type': 'text/html; charset=utf-8' }, 'Blocked'],
    [401, {}, page],
    [404, {}, `\n${page.toLowerCase()}`],
    [404, { 'content-type': 'TEXT/HTML' }, ''],
    [502, {}, '<html>'],
  ])('says that a page of HTML with %i is not from the service', async (status, headers, body) => {
    const error = await errorOf(getEntity, { status, headers, body })
    expect(error).toMatchObject({ name: 'ServiceError', code: `Http${status}`, status })
    const { message } = error as Error
    expect(message).toContain('is an HTML page, so it is not from the Table service. Check')
    expect(message).not.toMatch(/account|clock|service gave/i)
  })

  it('says that a proxy requires authentication (407)', async () => {
    const error = await errorOf(insertEntity, responseOf(407), { request: write })
    expect(error).toMatchObject({ name: 'ServiceError', code: 'Http407', mayHaveApplied: false })
    expect((error as Error).message).toContain('The proxy requires authentication.')
  })

  it("takes an error that names a code of the service for the service's", async () => {
    const headers = { 'content-type': 'text/html', 'x-ms-error-code': 'AuthenticationFailed' }
    expect(await errorOf(getEntity, responseOf(403, headers))).toMatchObject({
      name: 'AuthenticationError',
      code: 'AuthenticationFailed',
    })
  })

  it.each([301, 302, 307, 308, 304])('rejects the redirect %i, and says why', async (status) => {
    const error = await errorOf(
      getEntity,
      responseOf(status, { location: 'https://evil.example/?sig=x' }),
    )
    expect(error).toMatchObject({
      code: 'UnexpectedResponse',
      message: expect.stringMatching(/never followed/),
      mayHaveApplied: false,
    })
    expect((error as Error).message).not.toContain('evil')
  })

  it.each([
    [insertEntity, write, 200, true],
    [deleteEntity, write, 200, true],
    [deleteEntity, write, 202, true],
    [getEntity, read, 204, false],
    [getEntity, read, 206, false],
  ])('rejects a status that is not a success of the operation', async (...row) => {
    const [operation, request, status, mayHaveApplied] = row
    expect(await errorOf(operation, responseOf(status), { request })).toMatchObject({
      code: 'UnexpectedResponse',
      mayHaveApplied,
      message: expect.stringContaining(
        `${operation.name}: https://contoso.table.core.windows.net returned ${status}`,
      ),
    })
  })

  it('accepts any success when the operation lists no statuses', async () => {
    expect(await errorOf({ name: 'own' }, responseOf(200), { request: write })).toBeUndefined()
  })

  it.each([`${etag}, ${etag}`, '"a","b"', 'W/"a", "b"'])(
    'rejects several ETags: %s',
    async (list) => {
      const response = responseOf(204, { etag: list })
      expect(await errorOf(deleteEntity, response, { request: write })).toMatchObject({
        code: 'UnexpectedResponse',
        mayHaveApplied: true,
        message: expect.stringContaining('several ETags'),
      })
    },
  )

  it('rejects JSON that has lost its types', async () => {
    const headers = { 'content-type': 'application/json;odata=nometadata;streaming=true' }
    expect(await errorOf(getEntity, responseOf(200, headers))).toMatchObject({
      code: 'UnexpectedResponse',
      mayHaveApplied: false,
      message: expect.stringContaining('without metadata'),
    })
  })

  it('accepts a single ETag with a comma', async () => {
    const response = responseOf(204, { etag: '"a,b"' })
    expect(await errorOf(deleteEntity, response, { request: write })).toBeUndefined()
  })
})
