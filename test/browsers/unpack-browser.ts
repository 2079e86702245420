import { browserPath } from './browser.ts'

/** Unpacks the browser once: a worker takes the file that another one has begun for a whole browser. */
export async function setup(): Promise<void> {
  await browserPath()
}
