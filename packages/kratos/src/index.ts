export { kratos } from './kratos.ts'
