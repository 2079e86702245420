import { TokenTrail } from '@rowkey/odata'
import { checkOptions, type OptionNames } from '@rowkey/rest'

/** A page of items, with the token of the next page unless it is the last one. */
export type Page<Item> = Item[] & {
  /** Where the next page begins; absent at the end. */
  continuationToken?: string
}

/** The options of `byPage`. */
export interface PageSettings {
  /** The most items of a page: 1 to 1,000. The service may return fewer. */
  readonly maxPageSize?: number | undefined
  /** The token of an earlier page. */
  readonly continuationToken?: string | undefined
}

/** Reads items one by one, or page by page. */
export interface PagedAsyncIterableIterator<Item> extends AsyncIterableIterator<Item> {
  /** Reads page by page. */
  byPage(settings?: PageSettings): AsyncIterableIterator<Page<Item>>
}

const SETTING_NAMES: OptionNames<PageSettings> = { continuationToken: true, maxPageSize: true }

/**
 * Makes an iterator over the items of all pages.
 *
 * @param source - what is read, for messages
 * @param read - reads one page
 * @throws DecodeError (`ContinuationLoop`) from the iterator, when a page ends where it has been before
 */
export function pagedIterator<Item>(
  source: string,
  read: (settings: PageSettings) => Promise<Page<Item>>,
): PagedAsyncIterableIterator<Item> {
  const items = itemsOf(pagesOf(source, read, {}))
  return {
    next: () => items.next(),
    [Symbol.asyncIterator]() {
      return this
    },
    byPage(settings = {}) {
      checkOptions(settings, SETTING_NAMES, 'byPage')
      return pagesOf(source, read, settings)
    },
  }
}

async function* pagesOf<Item>(
  source: string,
  read: (settings: PageSettings) => Promise<Page<Item>>,
  { maxPageSize, continuationToken }: PageSettings,
): AsyncGenerator<Page<Item>> {
  const trail = new TokenTrail(source, continuationToken)
  let token = continuationToken
  do {
    const page = await read({ maxPageSize, continuationToken: token })
    token = page.continuationToken
    trail.step(token, page.length)
    yield page
  } while (token !== undefined)
}

async function* itemsOf<Item>(pages: AsyncIterable<Page<Item>>): AsyncGenerator<Item> {
  for await (const page of pages) yield* page
}

/** Makes a page of items, and adds the token of the next one. */
export function pageOf<Item>(items: Item[], continuationToken: string | undefined): Page<Item> {
  return continuationToken === undefined ? items : Object.assign(items, { continuationToken })
}
