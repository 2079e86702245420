import { fetchTransport, type HttpRequest } from '@rowkey/rest'
import { afterEach, describe, expect, it, vi } from 'vitest'

const ORIGIN = 'https://contoso.table.core.windows.net'
const PAGE = 'https://app.contoso.com'

const insert: HttpRequest = {
  method: 'POST',
  origin: ORIGIN,
  path: '/people',
  query: 'sv=2019-02-02&sig=secret',
  headers: { 'x-ms-date': 'now' },
  body: '{}',
}

/** What a browser does with a request that CORS does not allow. */
const blocked = async (_: unknown, init?: RequestInit) => {
  if (init?.mode === 'no-cors') return new Response(null, { status: 204 })
  throw new TypeError('Failed to fetch')
}

const onPage = (origin = PAGE) => {
  vi.stubGlobal('window', {})
  vi.stubGlobal('location', { origin })
}

afterEach(() => void vi.unstubAllGlobals())

describe('fetchTransport in a browser', () => {
  it('says that CORS blocked a request, which rule is missing, and how to set it', async () => {
    onPage()
    const sending = fetchTransport({ fetch: blocked })(insert)
    await expect(sending).rejects.toMatchObject({
      code: 'ConnectionFailed',
      failure: 'cors',
      mayHaveApplied: false,
      message: expect.stringMatching(
        /POST .*CORS.*allows POST from https:\/\/app\.contoso\.com\. Nothing was sent\..*account\.properties\.set\(\{ cors: /,
      ),
    })
  })

  it('recommends a rule for every method that Rowkey sends', async () => {
    onPage()
    const error = await fetchTransport({ fetch: blocked })(insert).catch(String)
    // Updates are sent as PATCH.
    expect(error).toContain("allowedMethods: ['DELETE', 'GET', 'PATCH', 'POST', 'PUT']")
  })

  it('shows no SAS, and asks the server without one', async () => {
    onPage()
    const urls: string[] = []
    const fetch: typeof globalThis.fetch = (url, init) => {
      if (init?.mode === 'no-cors') urls.push(String(url))
      return blocked(url, init)
    }
    const error = await fetchTransport({ fetch })(insert).catch(String)
    expect(error).not.toContain('secret')
    expect(urls).toEqual([`${ORIGIN}/`])
  })

  it('leaves the outcome of a write open once the page has read a response', async () => {
    onPage()
    let isAllowed = true
    const fetch: typeof globalThis.fetch = async (url, init) =>
      isAllowed ? new Response('{}') : blocked(url, init)
    const transport = fetchTransport({ fetch })
    await transport({ ...insert, method: 'GET', body: undefined })
    isAllowed = false
    await expect(transport(insert)).rejects.toMatchObject({ failure: 'cors', mayHaveApplied: true })
  })

  it.each([
    ['without a network', PAGE, async () => Promise.reject(new TypeError('Failed to fetch'))],
    ['for the own origin of the page', ORIGIN, blocked],
  ])('does not name CORS %s', async (_, page, fetch) => {
    onPage(page)
    await expect(fetchTransport({ fetch })(insert)).rejects.toMatchObject({
      code: 'TransportFailed',
      failure: undefined,
    })
  })

  const query: HttpRequest = { ...insert, method: 'GET', path: '/people()', body: undefined }
  /** A response of another origin, with the headers that the browser shows. */
  const shown = (headers: Record<string, string>, status = 200) => {
    const response = new Response('{"value":[]}', { headers, status })
    return async () => Object.defineProperty(response, 'type', { value: 'cors' })
  }

  it.each(['/people()', '/Tables'])(
    'rejects a page of %s when the browser hides whether more follow',
    async (path) => {
      onPage()
      const fetch = shown({ 'content-type': 'application/json' })
      await expect(fetchTransport({ fetch })({ ...query, path })).rejects.toMatchObject({
        failure: 'cors',
        mayHaveApplied: false,
        message: expect.stringMatching(
          /hides whether more rows follow, .* exposes 'x-ms-\*' to https:\/\/app\.contoso\.com\. Add one/,
        ),
      })
    },
  )

  it('passes on what has no more to follow, and errors', async () => {
    onPage()
    const visible = shown({ 'x-ms-request-id': '1' })
    expect(await fetchTransport({ fetch: visible })(query)).toMatchObject({ status: 200 })
    const hidden = shown({})
    const path = "/people(PartitionKey='a',RowKey='b')"
    expect(await fetchTransport({ fetch: hidden })({ ...query, path })).toMatchObject({
      status: 200,
    })
    const rejected = shown({}, 404)
    expect(await fetchTransport({ fetch: rejected })(query)).toMatchObject({ status: 404 })
  })

  it('does not look for CORS outside browsers', async () => {
    await expect(fetchTransport({ fetch: blocked })(insert)).rejects.toMatchObject({
      code: 'TransportFailed',
    })
  })
})
