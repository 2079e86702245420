/** The search: which pages come first, and how people use it without a mouse. */
import type { Plugin } from 'vite'

/**
 * Shows tasks, also those that are a heading of a page, before patterns, these before the other pages, and the reference last. It runs in the browser, so it uses nothing of this file.
 *
 * @param id - the address of a page and a heading
 */
export function boostDocument(id: string): number {
  if (/#(?:count-rows|pages|concurrent-changes|exact-writes)$/.test(id)) return 3
  if (/\/(?:tasks\/|troubleshooting|stacks|expiry|several-types|testing)/.test(id)) return 3
  if (/\/patterns\//.test(id)) return 2
  return /\/(?:reference\/|project\/|errors)/.test(id) ? 0.3 : 1
}

/** What the template of VitePress says, and what a screen reader needs in its place: a dialog, a combobox, and options that are links. */
const REPAIRS: readonly (readonly [template: string, repaired: string])[] = [
  [
    `role="button"
      :aria-owns="results?.length ? 'localsearch-list' : undefined"
      aria-expanded="true"
      aria-haspopup="listbox"
      aria-labelledby="localsearch-label"`,
    'role="dialog" aria-modal="true" aria-labelledby="localsearch-label"',
  ],
  [
    'aria-autocomplete="both"',
    `role="combobox" aria-autocomplete="list" :aria-expanded="results?.length ? 'true' : 'false'"`,
  ],
  [
    `:id="'localsearch-item-' + index"
            :aria-selected="selectedIndex === index ? 'true' : 'false'"
            role="option"`,
    'role="presentation"',
  ],
  ['<kbd :aria-label', '<kbd role="img" :aria-label'],
  [
    'class="result"',
    `class="result" role="option" :id="'localsearch-item-' + index" :aria-selected="selectedIndex === index ? 'true' : 'false'"`,
  ],
]

/** Repairs the roles of the search dialog. Fails when the template has changed. */
export const accessibleSearch: Plugin = {
  name: 'rowkey-accessible-search',
  enforce: 'pre',
  transform(code, id) {
    if (!id.endsWith('VPLocalSearchBox.vue')) return undefined
    return REPAIRS.reduce((repaired, [template, replacement]) => {
      if (!repaired.includes(template)) throw new Error(`${id} has no ${template}`)
      return repaired.replaceAll(template, () => replacement)
    }, code)
  },
}
