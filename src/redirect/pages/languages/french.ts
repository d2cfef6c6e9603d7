import type { VisitorTexts } from './texts.ts';

export const french: VisitorTexts = {
  direction: 'ltr',
  unknownTitle: 'Ce code n’existe pas',
  unknownTyped:
    'Il n’y a rien à cette adresse. Si vous l’avez saisie, comparez chaque lettre avec l’imprimé.',
  unknownScanned:
    'Si vous l’avez scanné, prévenez les personnes qui l’ont affiché : le code a peut-être été supprimé.',
  codeForm: 'Les codes ont 8 lettres et chiffres.',
  pausedTitle: 'Ce code est en pause',
  pausedBy: (business) => `${business} l’a désactivé pour le moment.`,
  pausedByOwner: 'Son propriétaire l’a désactivé pour le moment.',
  tryLater: 'Réessayez plus tard.',
  blockedTitle: 'Ce code est bloqué',
  blockedText:
    'L’exploitant de ce serveur l’a désactivé. Il ne mène nulle part, et votre téléphone n’a rien ouvert d’autre.',
  blockedAdvice:
    'S’il vous a déjà demandé de l’argent ou un mot de passe, prévenez le lieu où vous l’avez scanné.',
  stoppedTitle: 'Ce code ne mène plus nulle part',
  stoppedText: 'Son propriétaire a quitté ce service.',
  warningTitle: 'Ce site est peut-être dangereux',
  flaggedByList: (list) =>
    `Ce code mène à une adresse de la liste « ${list} » de sites trompeurs ou nuisibles. La liste peut se tromper.`,
  flaggedByOperator:
    'L’exploitant de ce serveur a signalé cette adresse comme trompeuse ou nuisible.',
  flaggedByService:
    'Un service de navigation sécurisée a signalé cette adresse comme trompeuse ou nuisible. Il peut se tromper.',
  testAddress: 'C’est une adresse de test sans danger pour des avertissements comme celui-ci.',
  ifUnsure: 'Dans le doute, fermez cette page.',
  continueAnyway: 'Continuer quand même',
  wholeAddress: 'L’adresse complète',
  unavailableTitle: 'Réessayez dans un instant',
  unavailableText:
    'Ce code ne peut pas être consulté en ce moment. Le code et votre téléphone vont bien.',
  errorTitle: 'Une erreur s’est produite',
  errorText: 'Ce n’est pas votre faute.',
  tryAgain: 'Réessayer',
  request: (id) => `Requête ${id}`,
  rootText: 'Des codes QR imprimés dont vous pouvez changer la destination.',
  signIn: 'Se connecter',
  openPanel: 'Ouvrir l’espace de gestion',
  apiDocs: 'Documentation de l’API',
  rootScanned: (address) =>
    `Vous avez scanné un code et êtes arrivé ici ? Scannez-le de nouveau : il manque quelque chose après ${address}.`,
  rootCode: 'Ce code mène ici. Pour les vôtres, c’est vous qui décidez.',
};
