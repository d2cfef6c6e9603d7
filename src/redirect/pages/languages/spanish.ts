import type { VisitorTexts } from './texts.ts';

export const spanish: VisitorTexts = {
  direction: 'ltr',
  unknownTitle: 'Este código no existe',
  unknownTyped:
    'No hay nada en esta dirección. Si la ha escrito, compare cada letra con el impreso.',
  unknownScanned:
    'Si lo ha escaneado, avise a quienes lo pusieron: puede que se haya eliminado el código.',
  codeForm: 'Los códigos tienen 8 letras y cifras.',
  pausedTitle: 'Este código está en pausa',
  pausedBy: (business) => `${business} lo ha desactivado por ahora.`,
  pausedByOwner: 'Su propietario lo ha desactivado por ahora.',
  tryLater: 'Inténtelo más tarde.',
  blockedTitle: 'Este código está bloqueado',
  blockedText:
    'El operador de este servidor lo ha desactivado. No lleva a ninguna parte y su teléfono no ha abierto nada más.',
  blockedAdvice: 'Si antes le pidió dinero o una contraseña, avise en el lugar donde lo escaneó.',
  stoppedTitle: 'Este código ya no lleva a ninguna parte',
  stoppedText: 'Su propietario ha dejado este servicio.',
  warningTitle: 'Este sitio puede ser peligroso',
  flaggedByList: (list) =>
    `Este código lleva a una dirección de la lista «${list}» de sitios engañosos o dañinos. La lista puede equivocarse.`,
  flaggedByOperator:
    'El operador de este servidor ha marcado esta dirección como engañosa o dañina.',
  flaggedByService:
    'Un servicio de navegación segura ha marcado esta dirección como engañosa o dañina. Puede equivocarse.',
  testAddress: 'Es una dirección de prueba inofensiva para avisos como este.',
  ifUnsure: 'Si no está seguro, cierre esta página.',
  continueAnyway: 'Continuar de todos modos',
  wholeAddress: 'La dirección completa',
  unavailableTitle: 'Inténtelo de nuevo en un momento',
  unavailableText:
    'Ahora mismo no se puede consultar este código. El código y su teléfono están bien.',
  errorTitle: 'Algo ha salido mal',
  errorText: 'No es culpa suya.',
  tryAgain: 'Intentar de nuevo',
  request: (id) => `Solicitud ${id}`,
  rootText: 'Códigos QR impresos cuyo destino puede cambiar.',
  signIn: 'Iniciar sesión',
  openPanel: 'Abrir el panel',
  apiDocs: 'Documentación de la API',
  rootScanned: (address) =>
    `¿Ha escaneado un código y ha llegado aquí? Escanéelo de nuevo: falta algo después de ${address}.`,
  rootCode: 'Este código lleva aquí. Adónde llevan los suyos lo decide usted.',
};
