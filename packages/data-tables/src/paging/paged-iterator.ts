import { checkValue, TokenTrail } from '@rowkey/odata'
import { aText, checkRecord } from '../errors/check-arguments.ts'

/** A page of items. */
type Page = { readonly length: number; continuationToken?: string }

/** The options of `byPage`. */
export interface PageSettings {
  /** The token of an earlier page. */
  continuationToken?: string
  /** The most items of a page: 1 to 1,000. The service may return fewer. */
  maxPageSize?: number
}

/** Reads items one by one, or page by page. */
export interface PagedAsyncIterableIterator<
  TElement,
  TPage = TElement[],
  TPageSettings = PageSettings,
> {
  /** Reads the next item. */
  next(): Promise<IteratorResult<TElement>>
  /** Returns itself. */
  [Symbol.asyncIterator](): PagedAsyncIterableIterator<TElement, TPage, TPageSettings>
  /** Reads page by page. */
  byPage: (settings?: TPageSettings) => AsyncIterableIterator<TPage>
}

/**
 * Makes an iterator over the items of all pages.
 *
 * @param source - what is read, for messages
 * @param read - reads one page
 * @throws DecodeError (`ContinuationLoop`) from the iterator, when a page ends where it has been before
 */
export function pagedIterator<Items extends Page & unknown[]>(
  source: string,
  read: (settings: PageSettings) => Promise<Items>,
): PagedAsyncIterableIterator<Items[number], Items> {
  const items = itemsOf<Items[number]>(pagesOf(source, read, {}))
  return {
    next: () => items.next(),
    [Symbol.asyncIterator]() {
      return this
    },
    byPage(given) {
      const settings = given ?? {}
      checkRecord(settings, 'The settings of byPage')
      if (settings.continuationToken) {
        checkValue(settings.continuationToken, aText, 'continuationToken', 'byPage')
      }
      return pagesOf(source, read, settings)
    },
  }
}

async function* pagesOf<Items extends Page>(
  source: string,
  read: (settings: PageSettings) => Promise<Items>,
  { maxPageSize, continuationToken }: PageSettings,
): AsyncGenerator<Items> {
  // Callers keep the empty token of a last page.
  let token = continuationToken || undefined
  const trail = new TokenTrail(source, token)
  do {
    const page = await read({
      ...(maxPageSize == null ? {} : { maxPageSize }),
      ...(token === undefined ? {} : { continuationToken: token }),
    })
    token = page.continuationToken
    trail.step(token, page.length)
    yield page
  } while (token !== undefined)
}

async function* itemsOf<Item>(pages: AsyncIterable<readonly Item[]>): AsyncGenerator<Item> {
  for await (const page of pages) yield* page
}
