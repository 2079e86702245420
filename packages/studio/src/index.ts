export { startStudio } from './start-studio.ts'
