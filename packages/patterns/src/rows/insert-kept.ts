import { type Change, insertEntity } from '@rowkey/rest'

const { reconcile: _, ...insert } = insertEntity

/**
 * The insert of a row that follows from the entities, such as a count of 1. After a lost response, the content of an insert shows
 * whether its transaction was applied. Another program may have stored the same kept row for an entity of its own, so
 * this insert shows nothing.
 */
export const insertKept: Change['operation'] = insert
